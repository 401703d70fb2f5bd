"""What `reduce list`, `--help` and `--version` say."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles.registry import ORACLES
from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain
from tests.cli.command import reduce


def _list(what: str, cwd: Path) -> list[str]:
    done = reduce("list", what, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_oracles(tmp_path: Path) -> None:
    assert [line.split()[0] for line in _list("oracles", tmp_path)] == [kind.name for kind in ORACLES]


def test_targets(tmp_path: Path) -> None:
    names = [line.split(",")[0].split()[0] for line in _list("targets", tmp_path)]
    assert names == ["llvm-cpu", "vmvx", "cuda:sm_80", "rocm:gfx942", "vulkan:rdna3", "metal"]


def test_passes(tmp_path: Path) -> None:
    names = _list("passes", tmp_path)
    assert {"cut_ops", "drop_arguments", "drop_attributes", "inline_regions"} <= set(names)


def test_releases(tmp_path: Path, installed: Toolchain) -> None:
    lines = _list("releases", tmp_path)
    assert [line.split()[0] for line in lines[: len(KNOWN_RELEASES)]] == list(KNOWN_RELEASES)
    assert f"{installed.release}  installed".split() in [line.split() for line in lines]


@pytest.mark.parametrize("words", [["--help"], ["check", "--help"], ["list", "--help"]])
def test_help(words: list[str], tmp_path: Path) -> None:
    done = reduce(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: {' '.join(['reduce', *words[:-1]])} ")


def test_help_has_every_option_and_exit_code(tmp_path: Path) -> None:
    text = reduce("--help", cwd=tmp_path).stdout
    options = """
        --oracle --iree --target --flag --expect --match --signature --script --exit-interesting -o --output -j --jobs
        --timeout --memory --limit-time --limit-tests --seed --resume -q --quiet -v --verbose --json --version
    """
    assert [option for option in options.split() if option not in text] == []
    codes = text.partition("Exit codes:")[2].splitlines()
    assert [line.split()[0] for line in codes if line.strip()] == ["0", "1", "2", "3", "130"]


def test_version(tmp_path: Path, installed: Toolchain) -> None:
    done = reduce("--version", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith(f"(IREE {installed.release})\n")
