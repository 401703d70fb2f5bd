"""What a company cannot share is not in a report: of a run to its end, of one that was stopped, of a file alone."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from reducer.toolchain.releases import Toolchain
from tests.cli.command import SEEDS, error_line, reduce

WEIGHTS = [0.5 + 0.013 * number for number in range(72)]
SECRETS = ("acme", "1.23", "9.87", "0x08000000")
SEED = """\
// Acme's own.
// reduce: oracle=no-op-flag iree=3.3.0
module @acme_module attributes {acme.owner = "acme owner"} {
  util.global private @acme_weights = dense_resource<acme_blob> : tensor<2x4x3x3xf32>
  func.func private @acme_helper(%acme_x: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
    %acme_b = arith.constant dense<[[[[1.2345]], [[9.8765]]]]> : tensor<1x2x1x1xf32>
    %e = tensor.empty() : tensor<1x2x8x8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>,
        affine_map<(a, b, c, d) -> (0, b, 0, 0)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%acme_x, %acme_b : tensor<1x2x8x8xf32>, tensor<1x2x1x1xf32>) outs(%e : tensor<1x2x8x8xf32>)
        attrs = {acme_layer = "acme stem"} {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<1x2x8x8xf32>
    return %r : tensor<1x2x8x8xf32>
  }
  func.func @acme_net(%acme_image: tensor<1x4x8x8xf32>) -> tensor<1x2x8x8xf32> attributes {acme.tag = "acme net"} {
    %acme_w = util.global.load @acme_weights : tensor<2x4x3x3xf32>
    %c0 = arith.constant 0.0 : f32
    %acme_pad = tensor.pad %acme_image low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %c0 : f32
    } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
    %e = tensor.empty() : tensor<1x2x8x8xf32>
    %f = linalg.fill ins(%c0 : f32) outs(%e : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
    %acme_conv = linalg.conv_2d_nchw_fchw {acme_layer = "acme conv"}
        ins(%acme_pad, %acme_w : tensor<1x4x10x10xf32>, tensor<2x4x3x3xf32>)
        outs(%f : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
    %r = func.call @acme_helper(%acme_conv) : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
    return %r : tensor<1x2x8x8xf32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      acme_blob: "0x08000000BLOB"
    }
  }
#-}
""".replace("BLOB", struct.pack("<72f", *WEIGHTS).hex().upper())
ALL = ("--format", "md", "--format", "html", "--format", "json", "--format", "lit", "--format", "sh")


CUSTOM = """\
// reduce: oracle=diagnostic match="MATCH"
func.func @acme_net(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tosa.custom"(%arg0) {domain_name = "acme_domain", implementation_attrs = "", operator_name = "acme_op"}
      : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


REJECTED = ("invalid: ", "unresolved: ", "not valid: ", "not smaller", "changes nothing")


@pytest.fixture
def folder(tmp_path: Path, toolchain: Callable[[str], Toolchain]) -> Path:
    """One with the seed in it."""
    toolchain("3.3.0")
    (tmp_path / "acme.mlir").write_text(SEED)
    return tmp_path


def assert_silent(report: Path) -> None:
    names = {path.name for path in report.iterdir()}
    assert names == {"report.md", "report.html", "report.json", "repro.lit.mlir", "repro.sh", "repro.mlir"}
    for path in report.iterdir():
        text = re.sub(r"<[^<>]*>", "", path.read_text("utf-8")) if path.suffix == ".html" else path.read_text("utf-8")
        for secret in (*SECRETS, str(report.parent), str(Path.home())):
            assert secret not in text.lower(), (path.name, text[max(0, text.lower().index(secret) - 90) :][:180])


@pytest.mark.parametrize("limit", [("--limit-tests", "3"), ()])
def test_of_a_run(folder: Path, limit: tuple[str, ...]) -> None:
    assert reduce("acme.mlir", "-q", *limit, cwd=folder).returncode == 0
    done = reduce("report", "acme.reduced.run", *ALL, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    report = folder / "acme.reduced.run" / "report"
    assert_silent(report)
    checked = reduce("check", str(report / "repro.mlir"), cwd=folder)
    assert checked.returncode == 0, checked.stdout
    document = json.loads((report / "report.json").read_text())
    assert document["kept"] == []
    assert "@main" in document["seed"]
    assert "dense_resource<…>" in document["seed"]
    assert bool(document["refusals"]) == (limit == ())
    assert all(rejected not in instead for _, instead in document["refusals"] for rejected in REJECTED)
    assert "Nothing else of the original program is in this report." in (report / "report.md").read_text()
    page = (report / "report.html").read_text()
    assert "Of the original program an outline is shown: its ops, types and whole numbers." in page
    assert "Nothing else of the original program" not in page


def test_of_a_file_alone_with_what_other_commands_say_of_it(folder: Path) -> None:
    for command, file, *more in (
        ("bisect", "history.json", "--from", "3.3.0", "--to", "3.3.0"),
        ("triage", "triage.json", "--no-why", "--target", "vmvx"),
    ):
        assert reduce(command, "acme.mlir", "--json", file, *more, cwd=folder).returncode in (0, 1)
    done = reduce("report", "acme.mlir", *ALL, "--bisect", "history.json", "--triage", "triage.json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert_silent(folder / "acme.report")
    document = json.loads((folder / "acme.report" / "report.json").read_text())
    assert document["kept"] == []
    assert document["triage"]["sets"]
    assert document["history"]["releases"][0]["release"] == "3.3.0"
    assert "program" not in document["triage"]
    assert reduce("check", "acme.report/repro.mlir", cwd=folder).returncode == 0


def test_strings_become_others(tmp_path: Path) -> None:
    (tmp_path / "acme.mlir").write_text(CUSTOM.replace("MATCH", "tosa.custom"))
    done = reduce("report", "acme.mlir", "--format", "md", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "acme.report" / "report.md").read_text()
    assert 'operator_name = "t' in text
    assert "acme" not in text.lower()


def test_what_the_fault_needs_stays_and_is_counted(tmp_path: Path) -> None:
    (tmp_path / "acme.mlir").write_text(CUSTOM.replace("MATCH", "acme_op"))
    done = reduce("report", "acme.mlir", "--format", "md", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "acme.report" / "report.md").read_text()
    assert "Of the original stay, since the fault does not show without: 1 string." in text
    assert "acme_domain" not in text
    assert "acme_net" not in text


def test_a_pattern_with_a_name_in_it_goes_with_the_program(tmp_path: Path) -> None:
    (tmp_path / "acme.mlir").write_text(
        '// reduce: oracle=diagnostic match="acme_kernel"\n'
        "func.func private @acme_kernel(tensor<4xf32>) -> tensor<4xf32>\n"
        "func.func @acme_net(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = call @acme_kernel(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n"
    )
    done = reduce("report", "acme.mlir", *ALL, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert_silent(tmp_path / "acme.report")
    assert "match=f1" in (tmp_path / "acme.report" / "repro.mlir").read_text()
    assert reduce("check", "acme.report/repro.mlir", cwd=tmp_path).returncode == 0


def test_a_fault_that_hangs_on_a_name_is_not_reported(tmp_path: Path) -> None:
    """A script that wants the name: nothing is written, and it is said why."""
    script = ("--script", "grep -q acme_net")
    seed = SEED.replace("oracle=no-op-flag iree=3.3.0", "oracle=script")
    (tmp_path / "acme.mlir").write_text(seed)
    done = reduce("report", "acme.mlir", *script, cwd=tmp_path)
    assert "shows its fault, but not with neutral names in place of its own" in error_line(done)
    assert not (tmp_path / "acme.report").exists()


def test_the_fault_does_not_become_another(tmp_path: Path) -> None:
    """Without the attributes that say which ONNX it is, another diagnostic comes."""
    done = reduce("report", str(SEEDS / "onnx_wrap_pad.mlir"), "--format", "md", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "onnx_wrap_pad.report" / "report.md").read_text()
    assert text.startswith("# [diagnostic] failed to legalize operation 'torch.prim.ListConstruct' on llvm-cpu (IREE")
    assert "torch.onnx_meta.opset_version" in text
    assert "Of the original stay, since the fault does not show without: 2 attributes." in text


def test_a_program_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bad.mlir").write_text("// reduce: oracle=crash\nfunc.func @acme( {\n")
    assert error_line(reduce("report", "bad.mlir", cwd=tmp_path)).startswith("bad.mlir: IREE cannot use this program: ")
