"""What the oracles that run a program share: one experiment, and what rules its answer out.

Owns no failure mode. A program whose value MLIR leaves open (it reads what nothing wrote, divides by zero …) is invalid
for all of them: whatever it then does is not the compiler's fault.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from oracles.experiment import NUMPY, Experiment, FunctionRun, Observation, Observe, Run, Status
from oracles.judging import ANY, Wanted, absent, refusal
from oracles.signature import Fault
from oracles.verdict import Outcome, Verdict

RUN = Run()
RUN_KIND = "run"
_NUMBER = re.compile(r"(?<![A-Za-z_])-?\d[\d.]*")
_NOT_FINITE = re.compile(r"\b(?:nan|inf)\b", re.IGNORECASE)
_ADVICE = {
    "wrong value": "wrong-result", "wrong NaN": "wrong-result", "wrong shape": "wrong-result",
    "wrong type": "wrong-result", "failed": "run-failure", "crashed": "run-crash", "timed out": "run-hang",
}  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What a run showed. kind: "wrong value", "failed" …, as in the signature; run: of the function it is about."""

    kind: str
    said: str
    run: FunctionRun


def faults_of(observation: Observation) -> tuple[Seen, ...]:
    """Everything that is wrong with the runs of an observation, in order."""
    found: list[Seen] = []
    for run in observation.runs:
        if run.reference != "defined":
            continue
        if run.ended in ("failed", "crashed", "timed out"):
            found.append(Seen(run.ended, run.said, run))
        for number, result in enumerate(run.results):
            if result.kind in ("value", "nan", "shape", "type"):
                kind = "NaN" if result.kind == "nan" else result.kind
                where = f"[{', '.join(map(str, result.index))}]" if result.index else ""
                of = f", {result.wrong} of {result.total} elements" if result.kind in ("value", "nan") else ""
                said = f"result {number}{where} is {result.got}, expected {result.expected}{of}"
                found.append(Seen(f"wrong {kind}", said, run))
    return tuple(found)


def is_finite(run: FunctionRun) -> bool:
    """Whether everything that a run should return is (of what is written out: the first few thousand elements)."""
    return not any(_NOT_FINITE.search(text) for text in run.expected)


def fault(seen: Seen) -> Fault:
    """What was seen as a fault with a signature: how it went wrong; of a failure, its words without numbers."""
    signature = f"{seen.kind}: {_NUMBER.sub('N', seen.said)}" if seen.kind in ("failed", "crashed") else seen.kind
    return Fault(RUN_KIND, signature, f"@{seen.run.function}: {seen.said}", seen.said)


def judge_run(
    kinds: tuple[str, ...], wanted: Wanted, run: Run, name: str, observe: Observe, *, finite: bool = False
) -> Verdict:
    """The verdict on one experiment.

    kinds: of `Seen`, that are interesting; name: of the oracle, for people; finite: only where the right results are.
    """
    observation = observe(Experiment(run=run))
    if (verdict := refusal(observation)) is not None:
        return verdict
    if observation.status is not Status.OK:
        advice = "it does not compile: try the translation-error, diagnostic or crash oracle"
        return absent(observation, ANY, wanted.describe(name), advice)
    found = faults_of(observation)
    for seen in found:
        if seen.kind in kinds and wanted.accepts(fault(seen)):
            if finite and not is_finite(seen.run):
                return Verdict(Outcome.NOT_INTERESTING, f"@{seen.run.function} should return NaN or infinity")
            verdict = _present(seen, observe if wanted.signature is None else None, run)
            return replace(verdict, runs=observation.runs)
    return replace(_absent(observation, found, wanted.describe(name), run), runs=observation.runs)


def _present(seen: Seen, observe: Observe | None, run: Run) -> Verdict:
    """Interesting; asked for the first time, whether the fault needs the user's flags too."""
    this = fault(seen)
    reason = this.message
    if observe is not None:
        plain = observe(Experiment(run=run, plain=True))
        again = plain.status is Status.OK and any(fault(s).signature == this.signature for s in faults_of(plain))
        reason += "; without the flags too" if again else "; not without the flags"
    comparison = [("input", " ".join(_quoted(t) for t in seen.run.inputs) or "none")]
    if seen.run.got:
        comparison += [("expected", "; ".join(seen.run.expected)), ("got", "; ".join(seen.run.got))]
    return Verdict(Outcome.INTERESTING, reason, this.signature, comparison=tuple(comparison), phase="end", run=seen.run)


def _absent(observation: Observation, found: tuple[Seen, ...], looked_for: str, run: Run) -> Verdict:
    """Not interesting: undefined, beyond the reference, another fault, or right."""
    if found:
        other = fault(found[0])
        advice = f"try --oracle {_ADVICE[found[0].kind]}"
        return Verdict(
            Outcome.NOT_INTERESTING, f"{looked_for} not seen: {other.message}", other.signature,
            comparison=(("looked for", looked_for), ("seen", other.message)), advice=advice,
        )  # fmt: skip
    if not observation.runs:
        return Verdict(Outcome.NOT_INTERESTING, "there is no function to run", advice="make a function public")
    open_ = next((r for r in observation.runs if r.reference == "undefined"), None)
    if open_ is not None:
        return Verdict(
            Outcome.INVALID, f"@{open_.function} has no defined value: {open_.why}",
            advice="give it inputs for which it has one, with --input",
        )  # fmt: skip
    unknown = next((r for r in observation.runs if r.reference == "unknown"), None)
    if unknown is not None:
        advice = "use --reference vmvx, release:VERSION or flags:none" if run.reference == NUMPY else ""
        return Verdict(Outcome.UNRESOLVED, f"@{unknown.function}: {unknown.why}", advice=advice)
    unbounded = next((r for r in observation.runs if any(s.kind == "unknown" for s in r.results)), None)
    if unbounded is not None:
        number = next(n for n, s in enumerate(unbounded.results) if s.kind == "unknown")
        return Verdict(
            Outcome.UNRESOLVED, f"@{unbounded.function}: how far result {number} may be off is not known",
            advice="say how far with --rtol and --atol, for instance --rtol 1e-3",
        )  # fmt: skip
    how = observation.runs[0].results[0].how if observation.runs[0].results else ""
    return Verdict(
        Outcome.NOT_INTERESTING, f"{looked_for} not seen: every result is right ({how})",
        comparison=(("looked for", looked_for), ("seen", f"every result is right, compared {how}")),
        advice="other inputs (--input, --seed), or other flags after --",
    )  # fmt: skip


def hold(wanted: Wanted, verdict: Verdict) -> Wanted:
    """From now on only the fault of this verdict."""
    return replace(wanted, signature=verdict.signature)


def _quoted(text: str) -> str:
    return f"'{text}'" if " " in text else text
