from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reducer.toolchain.releases import Toolchain

EVIL = Path(__file__).with_name("evil_worker.py")


@pytest.fixture
def evil(installed: Toolchain, tmp_path: Path) -> Callable[[str], Toolchain]:
    """The installed toolchain, with workers that misbehave in this way."""

    def make(mode: str) -> Toolchain:
        counter = tmp_path / "compilations"
        wrapper = tmp_path / "python"
        words = [str(installed.python), str(EVIL), mode, str(counter)]
        # the editing worker is as it should be
        wrapper.write_text(
            "#!/bin/sh\n"
            f'case " $* " in *" edit "*) exec {shlex.quote(words[0])} "$@";; *) exec {shlex.join(words)} "$@";; esac\n'
        )
        wrapper.chmod(0o755)
        return replace(installed, python=wrapper)

    return make
