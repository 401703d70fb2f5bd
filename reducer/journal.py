"""The run folder: what was tried, every step, the best program so far, the other faults.

Owns all files of a run but the final results. Every write is atomic or an appended line, so that Ctrl-C, `kill -9` or
a power cut loses at most the candidates in flight; a journal with a torn last line is read up to it. Resuming is
reading: verdicts are remembered by what was judged and by whom, warm workers or fresh stock processes, so a resumed
session walks the same way and only asks what it had not asked.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import IO, Any

from oracles.experiment import Location
from oracles.verdict import Evidence, Outcome, Verdict
from reducer.errors import InputError, OutputError


def digest(program: str, flags: tuple[str, ...]) -> str:
    """What a verdict is remembered by."""
    text = json.dumps((program, flags), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


STEPS, SEED, RESULT = "steps.jsonl", "seed.mlir", "result.json"
"""Of a run folder, besides the journal: each step with its size, the seed, what came of it."""

FREE_SPACE = "free some space, then go on with --resume"


def write_atomic(path: Path, text: str, advice: str = "free some space or choose another place with -o") -> None:
    """Write a whole file or nothing. Raises OutputError. advice: what to do then."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}; {advice}") from error


class Journal:
    """The files of one run. Holds a lock on its folder for as long as it is open.

    Nothing of an earlier run in the folder is touched before `begin`; closed before that, a journal leaves nothing.
    """

    def __init__(self, folder: Path, identity: dict[str, Any], *, resume: bool) -> None:
        self.folder = folder
        self._identity, self._resume = identity, resume
        self._file: IO[str] | None = None
        self._cold = False
        self._verdicts: dict[bool, dict[str, Verdict]] = {False: {}, True: {}}
        self._faults: set[str] = set()
        self._steps = 0
        self._table: list[str] = []
        if resume and not _has_content(folder / "journal.jsonl"):
            raise InputError(f"nothing to resume in {folder}; run without --resume")
        try:
            self._is_new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = self._take_lock()
            try:
                if resume:
                    self._read(folder / "journal.jsonl", identity)
            except BaseException:
                self._lock.close()
                raise
        except OSError as error:
            raise self._unwritable(error) from error

    def begin(self) -> None:
        """Write from now on; unless this resumes a run, what an earlier one left in the folder goes."""
        path = self.folder / "journal.jsonl"
        try:
            if not self._resume:
                self._clear()
                write_atomic(path, json.dumps({"case": self._identity}, ensure_ascii=False) + "\n")
            self._file = path.open("a", encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> OutputError:
        return OutputError(f"cannot write the run folder {self.folder}: {error.strerror}; choose another place with -o")

    def _take_lock(self) -> IO[str]:
        lock = (self.folder / ".lock").open("w", encoding="utf-8")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise OutputError(
                f"another reduction is writing {self.folder}; wait for it or choose another place with -o"
            ) from None
        return lock

    def _clear(self) -> None:
        """Start afresh: the files of an earlier run in this folder would be taken for this one's."""
        for sub in ("steps", "other-faults"):
            for file in (self.folder / sub).glob("*.mlir"):
                file.unlink()
        for name in ("journal.jsonl", "best.mlir", "minimality.txt", STEPS, SEED, RESULT):
            (self.folder / name).unlink(missing_ok=True)

    def _read(self, path: Path, identity: dict[str, Any]) -> None:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        lines = text.split("\n")
        try:
            case = json.loads(lines[0])["case"]
            changed = sorted(k for k in identity if case.get(k) != identity[k])
        except (ValueError, LookupError, TypeError, AttributeError):
            raise InputError(f"cannot resume {self.folder}: its journal is damaged; run without --resume") from None
        if changed:
            raise InputError(
                f"cannot resume {self.folder}: not the same case ({', '.join(changed)}); run without --resume"
            )
        whole = 1
        for line in lines[1:-1]:  # what follows the last newline was torn off in the middle
            try:
                entry = json.loads(line)
                self._verdicts[entry.get("cold") is True][entry["digest"]] = _verdict(entry)
            except (ValueError, LookupError, TypeError, AttributeError):
                break  # a power cut can leave a hole: what follows is asked again
            whole += 1
        if lines[whole:] != [""]:
            write_atomic(path, "\n".join(lines[:whole]) + "\n")

    def _append(self, entry: dict[str, Any]) -> None:
        assert self._file is not None, "begin() comes first"
        try:
            self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            raise OutputError(f"cannot write {self._file.name}: {error.strerror}; {FREE_SPACE}") from error

    def _keep(self, path: Path, text: str) -> None:
        """Write a file of a run that has begun, in a folder that may not be there yet."""
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot write {path}: {error.strerror}; {FREE_SPACE}") from error
        write_atomic(path, text, FREE_SPACE)

    @property
    def begun(self) -> bool:
        """Whether there is anything to resume."""
        return self._file is not None

    def remembered(self, key: str) -> Verdict | None:
        """The verdict of an earlier run on that program and flags; after `distrust_workers`, of a stock process."""
        return self._verdicts[self._cold].get(key)

    def distrust_workers(self) -> None:
        """From now on verdicts are those of fresh stock processes, and are kept apart from those before."""
        self._cold = True

    def judged(self, key: str, label: str, verdict: Verdict) -> None:
        """Record a verdict, before anything is done with it."""
        cold = {"cold": True} if self._cold else {}
        self._append({"digest": key, "tried": label, **cold, **_entry(verdict)})

    def improved(self, program: str, label: str, step: dict[str, Any]) -> None:
        """Keep a new best program. step: how it came about and how large it is, a line of `steps.jsonl`."""
        self._steps += 1
        self._keep(self.folder / "steps" / f"{self._steps:04}.mlir", f"// {label}\n{program}")
        self._keep(self.folder / "best.mlir", program)
        self._table.append(json.dumps({"label": label, **step}, ensure_ascii=False) + "\n")
        self._keep(self.folder / STEPS, "".join(self._table))

    def slipped(self, program: str, verdict: Verdict, command: tuple[str, ...]) -> Path | None:
        """Keep a program that shows another fault; None if that fault is kept already."""
        if verdict.signature in self._faults:
            return None
        self._faults.add(verdict.signature)
        path = self.folder / "other-faults" / f"{len(self._faults):03}.mlir"
        seen = " ".join(verdict.reason.split())
        self._keep(path, f"// RUN: iree-compile %s {' '.join(command)}\n// seen: {seen}\n{program}")
        return path

    @property
    def faults(self) -> int:
        """How many other faults were kept."""
        return len(self._faults)

    def close(self) -> None:
        """Let go of the folder."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # what a full disk did not take is lost, as was said then
                self._file.close()
        elif self._is_new:
            with contextlib.suppress(OSError):
                (self.folder / ".lock").unlink()
                self.folder.rmdir()
        self._lock.close()


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _entry(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON, without what only people need."""
    entry: dict[str, Any] = {"outcome": verdict.outcome.value, "reason": verdict.reason}
    if verdict.signature:
        entry["signature"] = verdict.signature
    if verdict.evidence:
        entry["evidence"] = [
            [e.op, e.part, *((e.location.line, e.location.column) if e.location else ())] for e in verdict.evidence
        ]
    return entry


def _verdict(entry: dict[str, Any]) -> Verdict:
    evidence = tuple(
        Evidence(op, Location(*place) if place else None, part) for op, part, *place in entry.get("evidence", ())
    )
    return Verdict(Outcome(entry["outcome"]), entry["reason"], entry.get("signature", ""), evidence)
