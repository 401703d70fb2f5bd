"""Golden files of the passes: read, compare, and written anew.

`tests/golden/PASS/` holds `input.mlir`, `sites.txt` (one label a line), `all.mlir` (the pass applied at every site) and
`site-N.mlir` (at one). A result that does not verify is a comment with the verifier's words. Written anew by
`python -m tests.passes.golden`; read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from iree.compiler import ir

from reducer.passes import PASSES, Pass, editing

ROOT = Path(__file__).parents[1] / "golden"
CORPUS = ROOT / "corpus"


@cache
def context() -> ir.Context:
    """One context for all tests: to make one takes longer than most tests."""
    return ir.Context()


def outcome(pass_: Pass, text: str, sites: Sequence[int]) -> str:
    """The program after the pass was applied at these sites, or a comment that says why it is invalid."""
    module = editing.parse(context(), text)
    editing.apply(pass_, module, sites)
    problem = editing.verify(module)
    return f"// invalid: {problem.splitlines()[0]}\n" if problem else editing.print_canonical(module)


def expected(pass_: Pass, text: str) -> dict[str, str]:
    """What the files of a pass other than its input should hold, by name."""
    labels = editing.list_sites(pass_, editing.parse(context(), text))
    files = {"sites.txt": "".join(f"{label}\n" for label in labels)}
    files["all.mlir"] = outcome(pass_, text, range(len(labels)))
    return files | {f"site-{i}.mlir": outcome(pass_, text, [i]) for i in range(len(labels))}


def _write() -> None:
    for pass_ in PASSES:
        folder = ROOT / pass_.__name__
        for old in folder.iterdir():
            if old.name != "input.mlir":
                old.unlink()
        for name, text in expected(pass_, (folder / "input.mlir").read_text()).items():
            (folder / name).write_text(text)


if __name__ == "__main__":
    _write()
