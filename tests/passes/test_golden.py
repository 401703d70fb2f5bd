"""Every pass against its golden files."""

from __future__ import annotations

import pytest

from reducer.passes import PASSES, Pass
from tests.passes.golden import ROOT, expected


@pytest.mark.parametrize("pass_", PASSES, ids=lambda p: p.__name__)
def test_pass_does_to_its_input_what_the_golden_files_say(pass_: Pass) -> None:
    folder = ROOT / pass_.__name__
    written = {f.name: f.read_text() for f in folder.iterdir() if f.name != "input.mlir"}
    assert expected(pass_, (folder / "input.mlir").read_text()) == written


def test_every_golden_folder_belongs_to_a_pass() -> None:
    names = {f.name for f in ROOT.iterdir() if (f / "input.mlir").exists()}
    assert names == {p.__name__ for p in PASSES}
