"""What a command line asks for, as values: the typer functions make them, the commands carry them out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CaseRequest:
    """Which fault of which program; None where the command line does not say, so that the file's header may.

    words: what stands after `--`; None without a `--`. timeout_s: seconds. memory_bytes: 0 is unlimited.
    inputs, reference, rtol, atol: of the oracles that run programs; no inputs: made up, or the header's.
    """

    program: str | None
    words: tuple[str, ...] | None = None
    oracle: str | None = None
    iree: str | None = None
    target: str | None = None
    flag: str | None = None
    expect: int | None = None
    match: str | None = None
    signature: str | None = None
    script: str | None = None
    exit_interesting: str | None = None
    timeout_s: float | None = None
    memory_bytes: int = 0
    inputs: tuple[str, ...] = ()
    reference: str | None = None
    rtol: float | None = None
    atol: float | None = None


@dataclass(frozen=True)
class ReduceRequest:
    """A reduction. verbosity: -1 says nothing but the outcome, 1 tells every test. json: a path, or `-`."""

    case: CaseRequest
    output: str | None = None
    jobs: int = 1
    limit_time_s: float | None = None
    limit_tests: int | None = None
    seed: int = 0
    resume: bool = False
    verbosity: int = 0
    json: str | None = None


@dataclass(frozen=True)
class CheckRequest:
    """A check of one file, or of all in a folder.

    explain: how each result was compared. fixed: whether no file of the folder should show its fault any more; junit:
    a file for the outcome of a folder.
    """

    case: CaseRequest
    verbosity: int = 0
    explain: bool = False
    fixed: bool = False
    junit: str | None = None


@dataclass(frozen=True)
class ListRequest:
    """A listing of what there is. iree: whose passes."""

    what: str
    iree: str | None = None


@dataclass(frozen=True)
class FindRequest:
    """A search. oracles: none for all; out: a folder; known: folders of searches whose finds are passed over.

    words: flags for iree-compile, tried besides the sets that are always tried. limit_time_s, limit_programs: None for
    no end. newest: whether each find is held against newer releases.
    """

    oracles: tuple[str, ...]
    targets: tuple[str, ...]
    out: str
    iree: str | None = None
    known: tuple[str, ...] = ()
    words: tuple[str, ...] | None = None
    jobs: int = 1
    limit_time_s: float | None = None
    limit_programs: int | None = None
    newest: bool = False
    seed: int = 0
    resume: bool = False
    verbosity: int = 0


@dataclass(frozen=True)
class TriageRequest:
    """A look at what flags do. targets: none for the header's, or llvm-cpu; compare: sets of flags, none for the usual.

    words: flags for iree-compile in every set. timeout_s: seconds of one compilation; memory_bytes: 0 is unlimited.
    why: whether to look for reasons. json: a path, or `-`.
    """

    program: str | None
    words: tuple[str, ...] | None = None
    iree: str | None = None
    targets: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    jobs: int = 1
    timeout_s: float = 30.0
    memory_bytes: int = 0
    seed: int = 0
    why: bool = True
    verbosity: int = 0
    json: str | None = None


@dataclass(frozen=True)
class BisectRequest:
    """Since when. oldest, newest: releases, None for all there are; everything: ask each of them.

    original: the program before it was reduced, None for that of its run. by_pass: which pass, instead; git_run: a
    script for `git bisect run`, instead. json: a path, or `-`.
    """

    case: CaseRequest
    oldest: str | None = None
    newest: str | None = None
    everything: bool = False
    original: str | None = None
    by_pass: bool = False
    git_run: bool = False
    verbosity: int = 0
    json: str | None = None


@dataclass(frozen=True)
class ReportRequest:
    """A report. run: a run folder or a repro; formats: none for the usual ones; output: a folder.

    bisect, triage: files that these commands wrote with `--json`. case: without the program.
    """

    run: str
    case: CaseRequest
    formats: tuple[str, ...] = ()
    output: str | None = None
    bisect: str | None = None
    triage: str | None = None
    verbosity: int = 0


Request = ReduceRequest | CheckRequest | ListRequest | FindRequest | BisectRequest | ReportRequest | TriageRequest
