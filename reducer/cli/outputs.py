"""Where the results go: names, whether they can be written, and writing them.

Never overwrites the seed, a script of the user's, or anything that is not a regular file. A name that the user did not
choose is never taken from another run.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reducer.case import Result
from reducer.errors import OutputError
from reducer.journal import FREE_SPACE, write_atomic

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


@dataclass(frozen=True)
class Outputs:
    """program: the reduced .mlir; script: the .sh beside it; run_dir: journal, steps, other faults, minimality."""

    program: Path
    script: Path
    run_dir: Path


def choose_outputs(output: str | None, name: str, attempt: int = 1) -> Outputs:
    """The files of a reduction of `name`: `NAME.reduced.mlir` in the current directory, or what -o says and beside it.

    attempt: 2, 3, … for further names, `NAME.reduced-2.mlir`, where another reduction is using the first ones.
    """
    more = f"-{attempt}" if attempt > 1 else ""
    if output is None:
        folder, stem = Path.cwd(), f"{name}.reduced{more}"
        program = folder / f"{stem}.mlir"
    else:
        given = Path(os.path.realpath(output))
        if output.endswith(("/", "/.")) or given.is_dir():
            raise OutputError(f"-o {output} is a directory; name a file in it")
        folder, base = given.parent, given.name.removesuffix(".mlir")
        program = folder / f"{base}{more}{given.name.removeprefix(base)}"
        stem = f"{base.removesuffix('.reduced')}.reduced{more}"
    return Outputs(program, folder / f"{stem}.sh", folder / f"{stem}.run")


def check_outputs(outputs: Outputs, keep: Iterable[Path]) -> None:
    """Raise OutputError now rather than after minutes of work: not writable, or one of the files to `keep`."""
    folder = outputs.program.parent
    if not folder.is_dir():
        raise OutputError(f"cannot write {outputs.program}: there is no directory {folder}; make it, or choose with -o")
    for path in (outputs.program, outputs.script):
        refuse_overwrite(path, keep)
    if outputs.run_dir.exists() and not outputs.run_dir.is_dir():
        raise OutputError(f"cannot write the run folder {outputs.run_dir}: it is a file; choose another place with -o")
    check_writable(folder, str(outputs.program), "choose another place with -o")


def check_writable(folder: Path, what: str, advice: str) -> None:
    """Raise OutputError if no file can be made in a folder. what: could not be written then; advice: what to do."""
    try:
        descriptor, probe = tempfile.mkstemp(dir=folder, prefix=".iree-reduce-")
        os.close(descriptor)
        os.unlink(probe)
    except OSError as error:
        raise OutputError(f"cannot write {what}: {error.strerror}; {advice}") from error


def refuse_overwrite(path: Path, keep: Iterable[Path]) -> None:
    """Raise OutputError if writing `path` would destroy one of the files to keep, or something that is not a file."""
    if not path.exists():
        return
    for kept in keep:
        if kept.exists() and path.samefile(kept):
            raise OutputError(f"{path} is an input and would be overwritten; choose another output with -o")
    if not path.is_file():
        raise OutputError(f"cannot write {path}: it exists and is not a regular file; choose another place with -o")


def no_space(error: OSError) -> OutputError | None:
    """What to tell the user if `error`, from wherever it came, means that a disk is full; None if it does not."""
    if error.errno not in _NO_SPACE:
        return None
    where = f" {error.filename}" if error.filename else f" a temporary file in {tempfile.gettempdir()}"
    return OutputError(f"cannot write{where}: {error.strerror}; {FREE_SPACE}")


def write_minimality(result: Result) -> None:
    """Say in the run folder, for each simplification that was tried last, what happened instead."""
    head = "# Every single simplification of the result was tried. What happened instead:\n"
    if not result.minimal:
        head = "# The reduction ended early: not every simplification was tried. What happened instead:\n"
    lines = [f"{refusal.simplification}: {refusal.instead}\n" for refusal in result.refusals]
    write_atomic(result.run_dir / "minimality.txt", head + "".join(lines), FREE_SPACE)
