"""The README's property and its workflow: they run, but for what fetches and installs."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from reducer import strategies
from tests.cli.command import REDUCE, SEEDS

README = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")


def block(language: str, holding: str) -> str:
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (found,) = (text for text in blocks if holding in text)
    return found


def steps() -> list[str]:
    """The commands of the workflow; each `uses` must name a version, and a step does one thing."""
    workflow = yaml.safe_load(block("yaml", "runs-on"))
    job = workflow["jobs"]["faults"]
    assert all(("run" in step) != ("uses" in step) for step in job["steps"])
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)
    assert job["strategy"]["matrix"]["iree"] == ["3.12.0", "newest"]
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_workflow_runs_on_a_project(pytester: pytest.Pytester) -> None:
    """A property that holds, and a repro that is fixed in the release: a team's CI as it should be."""
    install, properties, repros = steps()
    assert install == "pip install ./iree-bug-reducer pytest-xdist"
    tests = pytester.mkdir("tests")
    (tests / "test_properties.py").write_text(
        block("python", "assert_holds").replace("NoOpFlag()", 'NoOpFlag("--iree-opt-level=O0")')
        .replace("@given", "@settings(max_examples=1)\n@given").replace("import given", "import given, settings")
    )  # fmt: skip
    folder = pytester.mkdir("repros")
    program = (SEEDS / "pad_conv.mlir").read_text().split("\n\n", 1)[1]
    (folder / "fixed.mlir").write_text("// reduce: oracle=no-op-flag iree=3.3.0 target=llvm-cpu\n" + program)
    for step in (properties, repros):
        words = shlex.split(step.replace("${{ matrix.iree }}", "3.13.0").replace("-n auto", "-n 1"))
        argv = [str(REDUCE.with_name(words[0])), *words[1:]]
        done = subprocess.run(argv, cwd=pytester.path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (step, done.stdout, done.stderr)
    for file in ("properties.xml", "repros.xml"):
        assert 'tests="1"' in (pytester.path / file).read_text()


def test_the_example_is_a_property_that_is_collected(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(block("python", "assert_holds"))
    result = pytester.runpytest_subprocess("--collect-only", "-q")
    result.stdout.fnmatch_lines(["*::test_consumer_flag_fuses", "*1 test collected*"])


def test_the_strategies_that_are_named_are_all_that_there_are() -> None:
    section = README.partition("## Property tests in your CI")[2].partition("\n## ")[0]
    paragraph = next(text for text in section.split("\n\n") if text.startswith("`reducer.strategies`"))
    named = set(re.findall(r"`(\w+)\(\)`", paragraph))
    assert named == {name for name in strategies.__all__ if name[0].islower()}
    assert (
        {"text", "inputs"} == set(re.findall(r"`program\.(\w+)`", paragraph)) == set(strategies.Program.__annotations__)
    )
