from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracles.experiment import Location
from oracles.verdict import Evidence, Outcome, Verdict
from reducer.errors import InputError, OutputError
from reducer.journal import Journal, digest, write_atomic

CASE = {"oracle": "crash", "seed": 0}
FAULT = Verdict(
    Outcome.INTERESTING, "it crashed", "crash: f", (Evidence("tensor.pad", Location(3, 8)), Evidence("x", None))
)
SLIP = Verdict(Outcome.NOT_INTERESTING, "another crash", "crash: g")


def begun(folder: Path, case: dict[str, object], *, resume: bool) -> Journal:
    journal = Journal(folder, case, resume=resume)
    journal.begin()
    return journal


def test_a_run_that_never_began_leaves_the_earlier_one_alone_and_no_folder_of_its_own(tmp_path: Path) -> None:
    begun(tmp_path / "run", CASE, resume=False).close()
    before = (tmp_path / "run" / "journal.jsonl").read_text()
    Journal(tmp_path / "run", {**CASE, "oracle": "hang"}, resume=False).close()
    assert (tmp_path / "run" / "journal.jsonl").read_text() == before
    Journal(tmp_path / "new", CASE, resume=False).close()
    assert not (tmp_path / "new").exists()


def test_verdicts_are_remembered_across_runs_with_signature_and_evidence(tmp_path: Path) -> None:
    journal = begun(tmp_path / "run", CASE, resume=False)
    journal.judged("k1", "drop", FAULT)
    journal.judged("k2", "drop", Verdict(Outcome.INVALID, "no"))
    journal.close()
    again = begun(tmp_path / "run", CASE, resume=True)
    assert again.remembered("k1") == FAULT
    assert again.remembered("k2") == Verdict(Outcome.INVALID, "no")
    assert again.remembered("k3") is None
    again.close()


def test_what_stock_processes_said_is_kept_apart_from_what_warm_workers_said(tmp_path: Path) -> None:
    journal = begun(tmp_path / "run", CASE, resume=False)
    journal.judged("k1", "drop", FAULT)
    journal.distrust_workers()
    journal.judged("k1", "drop", SLIP)
    journal.close()
    again = begun(tmp_path / "run", CASE, resume=True)
    assert again.remembered("k1") == FAULT
    again.distrust_workers()
    assert again.remembered("k1") == SLIP
    assert again.remembered("k2") is None
    again.close()


def test_a_torn_last_line_is_dropped_and_the_journal_goes_on(tmp_path: Path) -> None:
    journal = begun(tmp_path / "run", CASE, resume=False)
    journal.judged("k1", "drop", FAULT)
    journal.close()
    with (tmp_path / "run" / "journal.jsonl").open("a") as file:
        file.write('{"digest": "k2", "tri')
    again = begun(tmp_path / "run", CASE, resume=True)
    assert again.remembered("k1") == FAULT
    again.judged("k2", "drop", SLIP)
    again.close()
    third = begun(tmp_path / "run", CASE, resume=True)
    assert third.remembered("k2") == SLIP
    third.close()


def test_another_case_is_not_resumed(tmp_path: Path) -> None:
    begun(tmp_path / "run", CASE, resume=False).close()
    with pytest.raises(InputError, match=r"not the same case \(oracle\)"):
        Journal(tmp_path / "run", {**CASE, "oracle": "hang"}, resume=True)


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to resume"):
        Journal(tmp_path / "run", CASE, resume=True)


def test_where_nothing_is_resumed_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to resume"):
        Journal(tmp_path / "run", CASE, resume=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("hole", ["\0\0\0\0", "null", '{"digest": "k2"}'])
def test_a_journal_with_a_hole_is_read_up_to_it(hole: str, tmp_path: Path) -> None:
    journal = begun(tmp_path / "run", CASE, resume=False)
    for key in ("k1", "k2", "k3"):
        journal.judged(key, "drop", FAULT)
    journal.close()
    path = tmp_path / "run" / "journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join((*lines[:2], hole + "\n", *lines[3:])))
    again = begun(tmp_path / "run", CASE, resume=True)
    assert again.remembered("k1") == FAULT
    assert again.remembered("k3") is None
    again.close()
    assert path.read_text() == "".join(lines[:2])


@pytest.mark.parametrize("text", ["\0\0\n", "null\n", '{"case": null}\n', '{"digest": "k1"}\n'])
def test_a_journal_without_its_case_is_not_resumed(text: str, tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text(text)
    with pytest.raises(InputError, match="journal is damaged; run without --resume"):
        Journal(tmp_path, CASE, resume=True)


def test_an_empty_journal_is_not_resumed(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").touch()
    with pytest.raises(InputError, match="nothing to resume"):
        Journal(tmp_path, CASE, resume=True)


def test_a_run_folder_belongs_to_one_run(tmp_path: Path) -> None:
    first = begun(tmp_path / "run", CASE, resume=False)
    with pytest.raises(OutputError, match="another reduction"):
        Journal(tmp_path / "run", CASE, resume=False)
    first.close()
    begun(tmp_path / "run", CASE, resume=False).close()


def test_a_new_run_forgets_the_old_one(tmp_path: Path) -> None:
    journal = begun(tmp_path / "run", CASE, resume=False)
    journal.improved("module {}", "drop", {"pass": "cut_ops", "tests": 3, "ops": 1})
    journal.improved("module {}", "more", {"pass": "cut_ops", "tests": 4, "ops": 0})
    journal.slipped("module {}", SLIP, ("--x",))
    journal.close()
    steps = [json.loads(line) for line in (tmp_path / "run" / "steps.jsonl").read_text().splitlines()]
    assert steps == [
        {"label": "drop", "pass": "cut_ops", "tests": 3, "ops": 1},
        {"label": "more", "pass": "cut_ops", "tests": 4, "ops": 0},
    ]
    begun(tmp_path / "run", CASE, resume=False).close()
    assert sorted(p.name for p in (tmp_path / "run").rglob("*.mlir")) == []
    assert not (tmp_path / "run" / "steps.jsonl").exists()


def test_each_other_fault_is_kept_once_with_its_command(tmp_path: Path) -> None:
    journal = begun(tmp_path / "run", CASE, resume=False)
    path = journal.slipped("module {}", SLIP, ("--x", "--y=1"))
    assert path is not None
    assert path.read_text() == "// RUN: iree-compile %s --x --y=1\n// seen: another crash\nmodule {}"
    assert journal.slipped("module {other}", SLIP, ()) is None
    assert journal.faults == 1
    journal.close()


def test_a_write_is_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.mlir"
    write_atomic(target, "old")
    with pytest.raises(OutputError, match="cannot write"):
        write_atomic(tmp_path / "missing" / "out.mlir", "new")
    write_atomic(target, "new")
    assert target.read_text() == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["out.mlir"]


def test_a_digest_tells_programs_and_flags_apart() -> None:
    assert (
        len({digest("a", ()), digest("a", ("b",)), digest("a", ("b", "c")), digest("a\0b", ("c",)), digest("b", ())})
        == 5
    )
