"""The README and the code say the same: options, exit codes, oracles, header keys, fields of the document."""

from __future__ import annotations

import re
from pathlib import Path

from oracles.registry import ORACLES
from reducer.cli.exits import MEANINGS, Exit
from reducer.cli.json_file import error_json
from reducer.header import KEYS
from tests.cli.command import SEEDS, reduce

README = (SEEDS.parent / "README.md").read_text()
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def _section(title: str) -> str:
    return README.partition(f"\n{title}\n")[2].partition("\n## ")[0]


def test_options(tmp_path: Path) -> None:
    known = set(OPTION.findall(reduce("--help", cwd=tmp_path).stdout))
    short = {"--output", "--jobs", "--quiet", "--verbose", "--help", "--version"}  # as -o, -j, -q, -v; as everywhere
    documented = set(OPTION.findall(_section("## Options").partition("### Header")[0]))
    assert known - short == documented & known
    assert documented <= known


def test_exit_codes() -> None:
    table = re.findall(r"^\| (\d+) \|", _section("### Exit codes").partition("###")[0], re.M)
    assert [int(code) for code in table] == [int(code) for code in Exit] == [int(code) for code, _ in MEANINGS]


def test_oracles() -> None:
    assert re.findall(r"^\| `([a-z][a-z-]+)` \|", _section("## Oracles"), re.M) == [kind.name for kind in ORACLES]


def test_header_keys() -> None:
    sentence = _section("### Header").partition("Keys of a `reduce:` line: ")[2].partition(".\n")[0]
    assert set(re.findall(r"`(\w+)`", sentence)) == set(KEYS)


def test_fields_of_the_document() -> None:
    paragraph = _section("### What is written").partition("Fields of the JSON document: ")[2]
    fields = set(error_json("error", "", Exit.BAD_INPUT))
    assert fields <= set(re.findall(r"`(\w+)`", paragraph))


def test_seeds_are_listed() -> None:
    listed = set(re.findall(r"^\| `(\w+\.mlir)` \|", (SEEDS / "README.md").read_text(), re.M))
    assert listed == {path.name for path in SEEDS.glob("*.mlir")}
