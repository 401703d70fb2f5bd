"""`reduce bisect` against what each release was measured to do, `tests/oracles/expected.json`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain
from tests.cli.command import SEEDS, SILENT, error_line, reduce
from tests.oracles.canned import expected_rows

SEED = str(SEEDS / "pad_conv.mlir")
CAST = "LLVM Translation failed for operation: builtin.unrealized_conversion_cast"


def bisected(folder: Path, *words: str) -> dict[str, object]:
    done = reduce("bisect", "--json", "history.json", *words, cwd=folder, timeout_s=600)
    assert (done.returncode, done.stderr) == (0, "")
    read: dict[str, object] = json.loads((folder / "history.json").read_text())
    return read


def outcomes(document: dict[str, object]) -> dict[str, str]:
    rows = document["releases"]
    assert isinstance(rows, list)
    return {row["release"]: row["outcome"] for row in rows}


def test_the_flag_that_did_nothing_until_3_7_0(tmp_path: Path) -> None:
    document = bisected(tmp_path, "--oracle", "no-op-flag", "--iree", "3.3.0", SEED)
    assert document["summary"] == ["shown by 2.9.0 … 3.6.0", "last bad 3.6.0, first good 3.7.0"]
    fused = {r["release"]: r["pad_in_conv_dispatch"] for r in expected_rows() if r["flags"] == "consumer"}
    seen = outcomes(document)
    assert list(seen)[: len(KNOWN_RELEASES)] == list(KNOWN_RELEASES)
    asked = {release: said for release, said in seen.items() if said != "not asked"}
    assert len(asked) <= 8
    for release, said in asked.items():
        if release in fused:
            assert said == ("does not" if fused[release] else "shows it"), release
    turns = document["changes"]
    assert isinstance(turns, list)
    (change,) = turns
    assert (change["before"], change["after"], change["begins"]) == ("3.6.0", "3.7.0", False)
    assert change["commits"] == [
        "af56a4793d8e9eb0dca7b7bfc7f41ec50d4d23c1", "b4da7b202cf21e07c418250f697565734f9e5f19",
    ]  # fmt: skip


def test_the_failure_that_came_and_went_again(tmp_path: Path) -> None:
    words = ("--oracle", "translation-error", "--iree", "3.3.0", "--target", "cuda:sm_80", SEED)
    document = bisected(tmp_path, *words)
    assert document["signature"] == CAST
    assert document["summary"] == [
        "shown by 3.2.0 … 3.3.0",
        "first bad 3.2.0, last good 3.1.0",
        "last bad 3.3.0, first good 3.4.0",
        "it came and went again: the history is not monotonic",
    ]
    rows = {r["release"]: r["targets"]["cuda:sm_80"] for r in expected_rows() if r["flags"] == "producer"}
    for release, said in outcomes(document).items():
        if said != "not asked" and release in rows:
            shows = rows[release].get("first_error", "").startswith("LLVM Translation")
            assert said == ("shows it" if shows else "does not"), release


def test_people_are_told_the_commits_and_what_was_not_asked(tmp_path: Path) -> None:
    words = ("bisect", "--oracle", "no-op-flag", "--iree", "3.6.0", "--from", "3.3.0", "--to", "3.7.0", SEED)
    done = reduce(*words, cwd=tmp_path, timeout_s=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert "git log af56a4793d..b4da7b202c" in done.stdout
    assert (
        "https://github.com/iree-org/iree/compare/af56a4793d8e9eb0dca7b7bfc7f41ec50d4d23c1..."
        "b4da7b202cf21e07c418250f697565734f9e5f19" in done.stdout
    )
    assert "not asked, taken to be as their neighbours are (--all asks them): 3.4.0, 3.5.0" in done.stdout


def test_the_program_that_it_was_reduced_from_is_asked_too(tmp_path: Path) -> None:
    small = tmp_path / "small.mlir"
    small.write_text(SILENT)
    words = ("--oracle", "translation-error", "--from", "3.13.0", str(small))
    flags = ("--", "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops")
    agrees = bisected(tmp_path, *words, "--original", str(SEEDS / "silent_consumer_flag.mlir"), *flags)
    assert [row["outcome"] for row in agrees["original"]] == ["shows it"]  # type: ignore[attr-defined]
    differs = reduce("bisect", *words, "--original", SEED, *flags, cwd=tmp_path, timeout_s=300)
    assert differs.returncode == 0
    assert "the program that it was reduced from differs: 3.13.0: it does not" in differs.stdout


@pytest.mark.parametrize(
    ("words", "name", "on"),
    [
        (("--oracle", "translation-error"), "ConcretizePadResultShapePass", "func.func @"),
        (("--oracle", "two-dispatches", "--iree", "3.13.0"), "FormDispatchRegionsPass", "util.func @"),
        (("--oracle", "no-op-flag", "--iree", "3.3.0"), "TensorPadToTensorInsertSlicePass", "builtin.module"),
    ],
)
def test_the_pass_and_a_command_that_shows_it_alone(
    words: tuple[str, ...], name: str, on: str, tmp_path: Path, toolchain: object
) -> None:
    file = tmp_path / "seed.mlir"
    file.write_text(SILENT if "translation-error" in words else Path(SEED).read_text())
    document = bisected(tmp_path, "--pass", *words, "seed.mlir")
    assert document["pass"] == name
    assert str(document["on"]).startswith(on)
    before, after = (tmp_path / f"seed.{when}-{name}.mlir" for when in ("before", "after"))
    assert "tensor.pad" in before.read_text()
    assert after.read_text() != ""
    command = document["iree_opt"]
    assert isinstance(command, list)
    release = words[-1] if "--iree" in words else "3.13.0"
    compiler: Toolchain = toolchain(release)  # type: ignore[operator]
    opt = compiler.iree_compile.with_name("iree-opt")
    done = subprocess.run([opt, *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=False)
    if name == "ConcretizePadResultShapePass":
        assert done.returncode != 0
        assert f"IR Dump After {name} Failed" in done.stderr
        return
    assert done.returncode == 0
    if name == "FormDispatchRegionsPass":
        assert "flow.dispatch.region" in done.stdout
        assert "flow.dispatch.region" not in before.read_text()
    else:
        assert "tensor.pad" not in done.stdout
        assert "tensor.insert_slice" in done.stdout


def test_the_script_for_git(tmp_path: Path) -> None:
    words = ("--oracle", "no-op-flag", "--iree", "3.6.0", "--from", "3.6.0", "--to", "3.7.0", SEED)
    done = reduce("bisect", "--git-run", *words, cwd=tmp_path, timeout_s=300)
    assert done.returncode == 0
    assert done.stdout.startswith("#!/bin/sh\n# no-op-flag: the flag changes no dispatch")
    assert "--term-old=broken --term-new=fixed b4da7b202cf21e07c418250f697565734f9e5f19 af56a479" in done.stdout
    assert subprocess.run(["sh", "-n", "-c", done.stdout], check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from", "3.14.7", SEED), "--from 3.14.7: there is no such release"),
        (("--to", "4", SEED), "--to 4: there is no such release"),
        (("--from", "3.7.0", "--to", "3.3.0", SEED), "--from 3.7.0 is newer than --to 3.3.0; exchange them"),
        (("--oracle", "no-op-flag", "--original", "nowhere.mlir", "--iree", "3.3.0", "--from", "3.3.0", "--to", "3.3.0",
          SEED), "nowhere.mlir"),
        (("--pass", str(SEEDS / "wrong_pad_value.mlir")), "--pass cannot tell for wrong-result"),
        (("--pass", "--from", "3.3.0", SEED), "--pass asks one release alone, that of --iree: leave --from out"),
        (("--pass", "--git-run", SEED), "--pass asks one release alone, that of --iree: leave --git-run out"),
        (("--oracle", "no-op-flag", "--iree", "3.3.0", "--original", "broken.mlir", SEED),
         "broken.mlir: IREE 3.3.0 cannot use this program: "),
        (("--oracle", "no-op-flag", "--json", "/proc/x.json", SEED), "cannot write --json /proc/x.json: No such file"),
        (("--oracle", "no-op-flag", "noop.reduced.run"), "is a directory; give noop.reduced.mlir, beside it"),
        (("--oracle", "no-op-flag", "--json", ".", SEED), "--json . is a directory"),
        (("nowhere.mlir",), "nowhere.mlir"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "broken.mlir").write_text("func.func @f( {\n")
    (tmp_path / "noop.reduced.run").mkdir()
    (tmp_path / "noop.reduced.mlir").write_text(SILENT)
    assert said in error_line(reduce("bisect", "-q", *words, cwd=tmp_path, timeout_s=300))


def test_a_program_that_is_none_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "broken.mlir").write_text("func.func @f( {\n")
    said = error_line(reduce("bisect", "-q", "--oracle", "crash", "broken.mlir", cwd=tmp_path))
    assert said.startswith("broken.mlir: IREE 3.13.0 cannot use this program: ")


def test_a_script_is_asked_with_each_release_first_on_its_path(tmp_path: Path) -> None:
    (tmp_path / "old.sh").write_text("#!/bin/sh\niree-compile --version | grep -q 'version 3.3.0'\n")
    (tmp_path / "old.sh").chmod(0o755)
    words = ("--oracle", "script", "--script", "./old.sh", "--iree", "3.3.0", "--from", "3.3.0")
    done = reduce("bisect", *words, SEED, cwd=tmp_path)
    assert "last bad 3.3.0, first good 3.4.0" in done.stdout


def test_a_release_that_does_not_show_it_has_no_history(tmp_path: Path) -> None:
    done = reduce("bisect", "--oracle", "no-op-flag", SEED, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "IREE 3.13.0 does not show the fault: with the flag the pad is inside" in done.stdout
    assert "name a release that does with --iree" in done.stdout
