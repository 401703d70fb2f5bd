"""`reduce triage` as a command: its exit codes, what it takes from where, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from reducer.cli.arguments import parse
from reducer.cli.requests import TriageRequest
from tests.cli.command import HEALTHY, SEEDS, SILENT, error_line, reduce

PLAIN = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"


def written(folder: Path, text: str) -> str:
    (folder / "model.mlir").write_text(text)
    return "model.mlir"


def test_every_word() -> None:
    words = """m.mlir --iree 3.3.0 --target llvm-cpu,vmvx --target cuda:sm_80 --compare --foo --compare= --input f32=1
    --seed 3 -j 5 --timeout 2m --memory 8G --no-why -q --json out.json -- --bar"""
    assert parse(["triage", *words.split()]) == TriageRequest(
        "m.mlir", ("--bar",), "3.3.0", ("llvm-cpu", "vmvx", "cuda:sm_80"), ("--foo", ""), ("f32=1",), 5, 120.0, 8 << 30,
        3, False, -1, "out.json",
    )  # fmt: skip


def test_nothing_is_wrong(tmp_path: Path) -> None:
    done = reduce("triage", written(tmp_path, HEALTHY), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("Why\n  consumer, producer, both: there is no pad that could be fused\n")
    assert done.stdout.count("ok") == done.stdout.count("right") == 4


def test_a_fault_and_where_its_flags_come_from(tmp_path: Path) -> None:
    """The header's flags are in every set, but for those that the sets vary."""
    text = SILENT.replace("// reduce: ", "// reduce: target=llvm-cpu ", 1)
    text = text.replace(f"flags={FLAG_CONSUMER}", f'flags="{FLAG_CONSUMER} --iree-opt-level=O2"')
    done = reduce("triage", written(tmp_path, text), "--no-why", "--json", "-", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert (done.returncode, document["exit"]) == (0, 0)
    assert done.stderr.startswith("model.mlir · IREE ")
    assert document["targets"] == ["llvm-cpu"]
    assert document["flags"] == ["--iree-opt-level=O2"]
    assert [s["flags"][1:] for s in document["sets"]] == [
        [], [FLAG_CONSUMER], [FLAG_PRODUCER], [FLAG_CONSUMER, FLAG_PRODUCER]
    ]  # fmt: skip
    assert document["why"] == []


def test_sets_of_ones_own(tmp_path: Path) -> None:
    """One that is known, and one that this release has lost, told with what it is called now."""
    gone = "--iree-dispatch-creation-experimental-data-tiling"
    done = reduce(
        "triage", written(tmp_path, HEALTHY), "--compare", "", "--compare", "--iree-opt-level=O3",
        "--compare", gone, "--json", "out.json", cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads((tmp_path / "out.json").read_text())
    assert [s["name"] for s in document["sets"]] == ["none", "--iree-opt-level=O3", gone]
    refused = f"{gone} is gone since 3.7.0: there it is --iree-dispatch-creation-data-tiling"
    assert document["sets"][2]["refused"] == refused
    level, lost = document["why"]
    assert (level["kind"], level["sets"]) == ("unchanged", ["--iree-opt-level=O3"])
    assert level["says"].startswith("every dispatch is as with none; ")
    assert level["evidence"] == ["--iree-opt-level=O3 is known since 3.3.0"]
    assert (lost["kind"], lost["says"]) == ("refused", refused)


def test_one_set_is_held_against_none(tmp_path: Path) -> None:
    words = ("triage", str(SEEDS / "silent_consumer_flag.mlir"), "--compare", FLAG_CONSUMER, "--no-why", "--json", "-")
    document = json.loads(reduce(*words, "--", "--iree-opt-level=O1", cwd=tmp_path).stdout)
    assert [s["flags"] for s in document["sets"]] == [["--iree-opt-level=O1"], ["--iree-opt-level=O1", FLAG_CONSUMER]]
    assert document["flags"] == ["--iree-opt-level=O1"]
    document = json.loads(reduce(*words, cwd=tmp_path).stdout)  # the header has the flag, which the sets vary
    assert [s["flags"] for s in document["sets"]] == [[], [FLAG_CONSUMER]]


def test_a_pasted_command_line_names_its_target(tmp_path: Path) -> None:
    command = (
        "iree-compile model.mlir --iree-hal-target-backends=cuda --iree-cuda-target=sm_60 --iree-opt-level=O1 -o x"
    )
    written(tmp_path, HEALTHY)
    done = reduce("triage", "--no-why", "--json", "-", "--", *command.split(), cwd=tmp_path)
    document = json.loads(done.stdout)
    assert (document["targets"], document["flags"]) == (["cuda:sm_60"], ["--iree-opt-level=O1"])
    assert [t["numbers"] for s in document["sets"] for t in s["targets"]] == [None] * 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no program given"),
        (("nothing.mlir",), "no such file: nothing.mlir"),
        (("model.mlir", "--target", "cude:sm_80"), "unknown target 'cude:sm_80'"),
        (("model.mlir", "--compare", "O3"), "'O3' is neither a flag"),
        (("model.mlir", "--compare", "'"), '--compare "\'": No closing quotation'),
        (("model.mlir", "--json", "model.mlir"), "is a file of this command and would be overwritten"),
        (("model.mlir", "--", "--iree-nonsense"), "unknown command line argument '--iree-nonsense'"),
        (("model.mlir", "--", "--iree-hal-target-device=amd"), "has no name here; give --target"),
        (("model.mlir", "--timeout", "soon"), "--timeout 'soon' is not a time"),
        (("bad.mlir",), "bad.mlir: IREE 3.13.0 cannot use this program: "),
        (("odd.mlir",), "unknown oracle"),
        (("pattern.mlir",), "match"),
        (("--json", "/proc/x.json", "model.mlir"), "cannot write --json /proc/x.json: No such file"),
        (("model.mlir", "--input", "f32=1", "--input", "f32=1"), "--input is given 2 times, which no function takes"),
    ],
)
def test_bad_input(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    written(tmp_path, HEALTHY)
    (tmp_path / "bad.mlir").write_text("func.func @f() {\n  foo.bar\n}\n")
    (tmp_path / "odd.mlir").write_text(f"// reduce: oracle=nonsense\n{HEALTHY}")
    (tmp_path / "pattern.mlir").write_text(f'// reduce: oracle=diagnostic match="("\n{HEALTHY}')
    done = reduce("triage", *words, cwd=tmp_path)
    assert said in error_line(done)
