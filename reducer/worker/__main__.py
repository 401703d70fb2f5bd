"""Start of a worker process: make our packages importable without adding our site-packages, then serve.

The toolchain's interpreter runs this file by its path. `iree` and `numpy` must come from the toolchain, so the
directory that holds `reducer` and `oracles` (perhaps a site-packages with another IREE in it) never enters
`sys.path`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _load_package(name: str) -> None:
    """Import the package `name` from ROOT; its submodules follow from its search path."""
    folder = ROOT / name
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"no package {name} in {ROOT}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def _start() -> None:
    if sys.path and Path(sys.path[0]) == Path(__file__).resolve().parent:
        del sys.path[0]
    _load_package("oracles")
    _load_package("reducer")
    from reducer.worker.entry import main

    main(sys.argv[1:])


if __name__ == "__main__":
    _start()
