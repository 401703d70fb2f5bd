"""One repair of the release's bindings, made once, when the package is imported.

The linalg dialect's Python module needs PyYAML up to 3.6.0, which a toolchain does not have. The bindings try to import
it again for every linalg op that is looked at, 35 ms each. An empty module in its place makes the ops plain op views,
which is all that is used here.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType


def settle(name: str = "iree.compiler.dialects.linalg") -> bool:
    """Put an empty module in the place of one that cannot be imported. Returns whether that was needed."""
    try:
        importlib.import_module(name)
    except ImportError:
        sys.modules[name] = ModuleType(name)
        return True
    return False
