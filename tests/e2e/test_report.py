"""`reduce report` for each of the padding faults: its commands show it, its test passes, its page is looked at."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from reducer.cli.report_document import KEYS
from reducer.header import program_digest
from reducer.toolchain.releases import Toolchain
from tests.cli.command import SEEDS, SILENT, error_line, reduce

CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
PRODUCER = CONSUMER.replace("consumer", "producer")
SECRET = (
    "// Acme's own.\n// reduce: oracle=translation-error flags=" + CONSUMER + "\n"
    + SILENT.split("\n\n", 1)[1].replace("@main", "@acme_net").replace(") -> tensor", ") -> tensor", 1)
)  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """A seed, how it is reduced, and a release without the fault; "" where each has it, but not without `flag`."""

    seed: Path | str
    words: tuple[str, ...]
    release: str
    fixed: str = ""
    flag: str = ""


FAULTS = {
    "no-op-flag": Fault(SEEDS / "pad_conv.mlir", ("--oracle", "no-op-flag", "--iree", "3.3.0"), "3.3.0", "3.13.0"),
    "two-dispatches": Fault(SEEDS / "pad_conv.mlir", ("--oracle", "two-dispatches"), "3.13.0", flag=PRODUCER),
    "translation-error": Fault(SECRET, (), "3.13.0", "3.6.0"),
    "unsupported-fusion": Fault(
        SEEDS / "pad_conv.mlir", ("--oracle", "unsupported-fusion", "--iree", "3.7.0"), "3.7.0", "3.6.0"
    ),
    "wrong-result": Fault(SEEDS / "wrong_pad_value.mlir", (), "3.13.0", "3.7.0"),
}


@dataclass(frozen=True)
class Written:
    """A report. folder: its files; env: an environment in which the release's own tools come first."""

    name: str
    folder: Path
    env: dict[str, str]

    @property
    def markdown(self) -> str:
        return (self.folder / "report.md").read_text("utf-8")


def environment(toolchain: Toolchain) -> dict[str, str]:
    tools = [toolchain.iree_compile.parent, toolchain.iree_run_module.parent, Path(sys.executable).parent]
    return {**os.environ, "PATH": os.pathsep.join([*map(str, tools), os.environ["PATH"]])}


@pytest.fixture(scope="module", params=FAULTS)
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, toolchain: Callable[[str], Toolchain]
) -> Written:
    """The fault reduced and reported."""
    fault = FAULTS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    seed = folder / "acme.mlir"
    seed.write_text(fault.seed if isinstance(fault.seed, str) else fault.seed.read_text())
    done = reduce("acme.mlir", *fault.words, "-q", cwd=folder, timeout_s=300)
    assert (done.returncode, done.stderr) == (0, "")
    shown = reduce("report", "acme.reduced.run", "--format", "md", "--format", "html", "--format", "json", "--format",
                   "lit", "--format", "sh", cwd=folder)  # fmt: skip
    assert (shown.returncode, shown.stderr) == (0, "")
    return Written(request.param, folder / "acme.reduced.run" / "report", environment(toolchain(fault.release)))


def blocks(markdown: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)\n```$", markdown, re.MULTILINE | re.DOTALL)


def test_the_commands_in_the_text_show_the_fault(written: Written, tmp_path: Path) -> None:
    """As a reader does: the program saved, the commands pasted."""
    (program,), (command,) = blocks(written.markdown, "mlir"), blocks(written.markdown, "sh")
    (tmp_path / "repro.mlir").write_text(program + "\n")

    def run(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=written.env, capture_output=True, text=True, check=False
        )

    done = run(command)
    if written.name == "no-op-flag":
        given, without = command.splitlines()
        assert (CONSUMER in given, CONSUMER in without) == (True, False)
        ops = [re.findall(r"flow\.executable private|tensor\.pad|linalg\.\w+", run(c).stdout) for c in (given, without)]
        assert ops[0] == ops[1] != []
    elif written.name == "two-dispatches":
        assert done.stdout.count("flow.dispatch @") == 2
    elif written.name == "wrong-result":
        assert "[FAILED]" in done.stdout
    else:
        assert done.returncode != 0
        (said,) = blocks(written.markdown, "text")
        assert "error: " in said
        for line in said.splitlines():
            assert line.partition("error: ")[2][:60] in done.stderr
    assert "What happened?" in written.markdown
    assert "Version information" in written.markdown
    checked = reduce("check", "repro.mlir", cwd=tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_script_shows_it(written: Written) -> None:
    script = ["sh", str(written.folder / "repro.sh")]
    done = subprocess.run(script, env=written.env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def lit(folder: Path, test: Path, env: dict[str, str]) -> int:
    """The exit status of lit on one test, with nothing but what PyPI has."""
    folder.mkdir()
    shutil.copy(test, folder / "repro.mlir")
    (folder / "lit.cfg.py").write_text(
        "import lit.formats, os\nconfig.name = 'repro'\nconfig.test_format = lit.formats.ShTest(False)\n"
        "config.suffixes = ['.mlir']\nconfig.substitutions.append(('FileCheck', 'filecheck'))\n"
        "config.environment['PATH'] = os.environ['PATH']\n"
    )
    return subprocess.run(["lit", "-v", str(folder)], env=env, capture_output=True, check=False).returncode


def test_the_lit_test_passes_where_the_fault_is_and_fails_where_it_is_not(
    written: Written, tmp_path: Path, toolchain: Callable[[str], Toolchain]
) -> None:
    test = written.folder / "repro.lit.mlir"
    assert lit(tmp_path / "with", test, written.env) == 0
    fault = FAULTS[written.name]
    if fault.fixed:
        without = environment(toolchain(fault.fixed))
    else:
        without = written.env
        run, newline, rest = test.read_text().partition("\n")
        assert fault.flag in run
        test = tmp_path / "other.mlir"
        test.write_text(run.replace(fault.flag, "") + newline + rest)
    assert lit(tmp_path / "without", test, without) == 1


def test_the_lit_test_of_a_crash(tmp_path: Path, toolchain: Callable[[str], Toolchain]) -> None:
    shutil.copy(SEEDS / "crash.mlir", tmp_path / "crash.mlir")
    done = reduce("report", "crash.mlir", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    test = tmp_path / "crash.report" / "repro.lit.mlir"
    assert lit(tmp_path / "with", test, environment(toolchain("3.13.0"))) == 0
    assert lit(tmp_path / "without", test, environment(toolchain("3.3.0"))) == 1
    assert (tmp_path / "crash.report" / "report.md").read_text().startswith("# [crash] signal 11")


def test_a_script_of_the_users(tmp_path: Path) -> None:
    """It judges, and is not in the report; where it lies is not either."""
    (tmp_path / "pad.mlir").write_text(SECRET)
    (tmp_path / "pads.sh").write_text('#!/bin/sh\ngrep -q tensor.pad "$1"\n')
    (tmp_path / "pads.sh").chmod(0o755)
    words = ("--oracle", "script", "--script", "./pads.sh")
    reduced = reduce("pad.mlir", *words, "--limit-tests", "5", cwd=tmp_path)
    assert reduced.returncode == 0
    assert "\nasking the script\n" in reduced.stdout
    assert "confirmed by the script;" in reduced.stdout
    assert "script needs --script" in error_line(reduce("report", "pad.reduced.run", cwd=tmp_path))
    done = reduce("report", "pad.reduced.run", *words[2:], "--format", "md", "--format", "sh", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    report = tmp_path / "pad.reduced.run" / "report"
    text = (report / "report.md").read_text()
    assert "A script judged it, which is not in this report" in text
    assert blocks(text, "sh") == ["./pads.sh repro.mlir"]
    assert "`reduce check repro.mlir --script` with the script asks the same" in text
    assert "it stopped at a limit: something simpler may show the same." in text
    assert str(tmp_path) not in (report / "repro.sh").read_text()
    assert subprocess.run([str(report / "repro.sh")], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    refused = reduce("report", "pad.reduced.run", *words[2:], "--format", "lit", cwd=tmp_path)
    assert "cannot be told by FileCheck; use --format sh" in error_line(refused)


def test_nothing_of_the_original_is_in_it(written: Written) -> None:
    for path in written.folder.iterdir():
        text = path.read_text("utf-8")
        assert "acme" not in text.lower(), path
        assert str(written.folder.parent.parent) not in text, path
        assert "conv_2d_nchw_fchw(" not in text, path


def test_the_document_has_the_reduction(written: Written) -> None:
    document = json.loads((written.folder / "report.json").read_text())
    assert document["repro"]["directive"]["oracle"] == written.name
    assert document["minimal"]
    assert document["steps"][-1]["ops"] == document["after"]["ops"] < document["before"]["ops"]
    assert len(document["commit"]) == 40
    assert document["refusals"]
    assert "func" in document["seed"]


CHROMIUM = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
)  # fmt: skip
LOOK = """<script>
const root = document.documentElement, style = getComputedStyle(document.body);
root.setAttribute("data-seen", JSON.stringify({
  over: document.scrollingElement.scrollWidth - innerWidth, width: innerWidth, colour: style.backgroundColor,
  fetched: performance.getEntriesByType("resource").length, marked: document.querySelectorAll(".line.marked").length,
  pictures: [...document.querySelectorAll("svg")].map(s => s.getBoundingClientRect().width > 50),
  headings: [...document.querySelectorAll("h2")].map(h => h.textContent)}));
</script></body>"""


def looked_at(page: Path, folder: Path, width: int, *more: str) -> dict[str, object]:
    """What a browser makes of the page: of a copy that is allowed a script, which says so."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert browser is not None, "the page is looked at in Chromium: install Debian's package chromium"
    text = page.read_text("utf-8")
    copy = folder / f"page-{width}.html"
    copy.write_text(re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", text).replace("</body>", LOOK))
    words = [browser, *CHROMIUM, *more, f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900"]
    words += ["--dump-dom", copy.as_uri()]
    done = subprocess.run(words, capture_output=True, text=True, timeout=90, check=False)
    found = re.search(r'data-seen="([^"]*)"', done.stdout)
    assert found is not None, done.stderr[-500:]
    seen: dict[str, object] = json.loads(found[1].replace("&quot;", '"'))
    return seen


def test_the_page_reads_well_wide_and_narrow_light_and_dark(written: Written, tmp_path: Path) -> None:
    page = written.folder / "report.html"
    wide = looked_at(page, tmp_path, 1200)
    assert (wide["over"], wide["fetched"]) == (0, 0)
    pictures = wide["pictures"]
    assert isinstance(pictures, list)
    assert len(pictures) >= 3  # the dispatches, and two curves
    assert all(pictures)
    headings = wide["headings"]
    assert isinstance(headings, list)
    assert headings[:2] == ["The program", "How to see it"]
    assert headings[-1] == "Seed and result"
    if written.name != "wrong-result":
        assert wide["marked"] != 0
    narrow = looked_at(page, tmp_path, 500)  # a window of Chromium's is no narrower; the page is
    assert narrow["over"] == 0
    framed = tmp_path / "framed.html"
    framed.write_text(page.read_text("utf-8").replace("<main>", '<main style="width:400px;padding:28px 20px">'))
    assert looked_at(framed, tmp_path, 500)["over"] == 0
    dark = looked_at(page, tmp_path, 1200, "--force-dark-mode", "--blink-settings=preferredColorScheme=0")
    assert (wide["colour"], dark["colour"]) == ("rgb(255, 255, 255)", "rgb(15, 19, 24)")


def test_the_page_holds_no_reference_to_anything(written: Written) -> None:
    text = (written.folder / "report.html").read_text("utf-8")
    assert "default-src 'none'" in text
    for word in ("<script", "<link", "<img", "<iframe", "src=", "url(", "@import", "href=\"http"):
        assert word not in text.replace("xlink:href", ""), word


def test_what_a_program_without_a_header_shows_is_said_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "plain.mlir").write_text(SILENT.split("\n\n", 1)[1])
    words = ("--oracle", "translation-error", "--format", "md", "--", CONSUMER)
    assert reduce("report", "plain.mlir", *words, cwd=tmp_path).returncode == 0
    assert "silent failure of ConcretizePadResultShapePass" in (tmp_path / "plain.report" / "report.md").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "nowhere"),
        (("empty",), "empty is no run folder of a finished reduction (result.json: No such file or directory)"),
        (("damaged",), "damaged/result.json is damaged"),
        (("gone",), "the program of gone is gone"),
        (("repro.mlir", "--format", "pdf"), "unknown --format pdf; known are md, html, json, lit, sh"),
        (("repro.mlir", "--bisect", "nowhere.json"), "cannot read nowhere.json"),
        (("repro.mlir", "--triage", "repro.mlir"), "repro.mlir is no JSON document"),
        (("repro.mlir", "--bisect", "empty.json"), "empty.json is no document of `reduce bisect --json`"),
        (("repro.mlir", "--triage", "empty.json"), "empty.json is no document of `reduce triage --json`"),
        (("repro.mlir", "--bisect", "other.json"), "other.json is about another fault: its oracle is crash, not "),
        (("repro.mlir", "--bisect", "bisect.json"), "bisect.json is about another program, x.mlir; make it anew of "),
        (("repro.mlir", "--triage", "triage.json"), "triage.json is about another program, x.mlir; make it anew of "),
        (("repro.mlir", "-o", "repro.mlir/x"), "cannot write repro.mlir/x"),
        (("repro.mlir", "-o", "/proc/x"), "cannot write /proc/x: No such file or directory; choose another folder"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "repro.mlir").write_text(SECRET)
    (tmp_path / "empty.json").write_text("{}")
    other = {**dict.fromkeys(KEYS["bisect"], ""), "oracle": "crash", "digest": program_digest(SECRET)}
    (tmp_path / "other.json").write_text(json.dumps(other))
    for command in KEYS:
        wrong = {**dict.fromkeys(KEYS[command], ""), "program": "x.mlir", "digest": program_digest(SILENT + "\n//")}
        (tmp_path / f"{command}.json").write_text(json.dumps(wrong))
    for name, text in (("empty", None), ("damaged", "{"), ("gone", '{"program": "/nowhere/x.mlir"}')):
        (tmp_path / name).mkdir()
        if text is not None:
            (tmp_path / name / "result.json").write_text(text)
    assert said in error_line(reduce("report", *words, cwd=tmp_path))


@pytest.mark.parametrize(
    ("about", "said"), [("pad.mlir", "the program that it was reduced from"), ("pad.reduced.mlir", "this program")]
)
def test_what_other_commands_say_of_the_seed_is_told_from_what_they_say_of_the_result(
    about: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "pad.mlir").write_text(SECRET)
    assert reduce("pad.mlir", "-q", "--limit-tests", "5", cwd=tmp_path).returncode == 0
    assert reduce("triage", about, "--no-why", "--json", "t.json", cwd=tmp_path).returncode == 0
    words = ("--from", "3.13.0", "--to", "3.13.0", "--json", "h.json", "-q")
    assert reduce("bisect", about, *words, cwd=tmp_path).returncode == 0
    done = reduce("report", "pad.reduced.run", "--triage", "t.json", "--bisect", "h.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    folder = tmp_path / "pad.reduced.run" / "report"
    text, page = ((folder / name).read_text() for name in ("report.md", "report.html"))
    assert f"What the flags do to {said}:" in text
    assert f"The releases, asked about {said}:" in text
    assert f"To {said}." in page
    assert f"Asked about {said}." in page


def test_a_repro_alone_and_one_that_is_fixed(tmp_path: Path) -> None:
    (tmp_path / "repro.mlir").write_text(SECRET)
    done = reduce("report", "repro.mlir", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in (tmp_path / "repro.report").iterdir()) == [
        "report.html", "report.md", "repro.lit.mlir", "repro.mlir",
    ]  # fmt: skip
    fixed = reduce("report", "repro.mlir", "--iree", "3.6.0", "-o", "fixed", cwd=tmp_path)
    assert (fixed.returncode, fixed.stderr) == (1, "")
    assert "repro.mlir does not show its fault: " in fixed.stdout
    assert not (tmp_path / "fixed").exists()


def test_the_program_is_escaped(tmp_path: Path) -> None:
    evil = SECRET.replace("func.func @acme_net", 'func.func @"<script>alert(1)</script>"')
    attribute = ' attributes {x = "</pre><script>alert(2)</script>"} {\n'
    (tmp_path / "repro.mlir").write_text(evil.replace(" {\n", attribute, 1))
    done = reduce("report", "repro.mlir", "--format", "html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "<script" not in (tmp_path / "repro.report" / "report.html").read_text()
