"""Prints the README's benchmark tables as Markdown: `python -m tests.benchmarks` (some twenty minutes on two cores)."""

from __future__ import annotations

import sys
from pathlib import Path

from reducer.toolchain.releases import Toolchain, installed
from tests.benchmarks.network import network
from tests.benchmarks.reductions import Meter, reduce
from tests.benchmarks.searching import found_by_minute, rate
from tests.benchmarks.speed import run_speed, speed

SEED = Path(__file__).parents[2] / "seeds" / "pad_conv.mlir"
WRONG = SEED.with_name("wrong_pad_value.mlir")  # right without its flag
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"
SIZES = (100, 1000, 5000)
MINUTES = 10
SEARCH_SEED = 7


def main() -> None:
    """Run everything, printing each row as soon as it is known."""
    toolchain = installed()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    print(f"IREE {toolchain.release}, llvm-cpu; medians of {rounds} rounds measured in turn\n")
    print("| tests/s on the seed | warm worker | two workers | `iree-compile` binary | `iree-compile` entry point |")
    print("|---|---|---|---|---|")
    for phase, count in (("flow", rounds), ("end", max(3, rounds // 3))):
        s = speed(toolchain, SEED, phase, count)
        print(
            f"| to `{phase}` | {1 / s.warm_s:.1f} | {1 / s.two_s:.1f} ({s.warm_s / s.two_s:.2f}x) "
            f"| {1 / s.binary_s:.1f} (warm is {s.binary_s / s.warm_s:.2f}x) "
            f"| {1 / s.entry_s:.1f} (warm is {s.entry_s / s.warm_s:.1f}x) |",
            flush=True,
        )
    print("\n| tests/s of `wrong-result` on a program that is right | warm | `iree-compile` and `iree-run-module` |")
    print("|---|---|---|")
    for target in ("llvm-cpu", "vmvx"):
        r = run_speed(toolchain, WRONG, target, max(3, rounds // 3))
        print(
            f"| {target} | {1 / r.warm_s:.1f} | {1 / r.processes_s:.1f} (warm is {r.processes_s / r.warm_s:.2f}x) |",
            flush=True,
        )
    print("\n| reduction | ops | tests | seconds | one compilation of the seed | time outside the compiler |")
    print("|---|---|---|---|---|---|")
    row("the seed, `two-dispatches`", SEED.read_text(), "two-dispatches", ())
    row("the seed, `translation-error`", SEED.read_text(), "translation-error", (PRODUCER,))
    row("a wrong result, `wrong-result`", WRONG.read_text(), "wrong-result", (CONSUMER,))
    for size in SIZES:
        row(f"a network of {size} ops, `translation-error`", network(size), "translation-error", (CONSUMER,))
    search(toolchain)


def search(toolchain: Toolchain) -> None:
    """The tables of `reduce find`."""
    print("\n| `find`, verdicts a minute (program x flags) on two cores | two warm slots | a process a compilation |")
    print("|---|---|---|")
    for name, oracles, phase in (
        ("to the flow phase: `no-op-flag`, `two-dispatches`", ("no-op-flag", "two-dispatches"), "flow"),
        ("to the end: `crash`, `diagnostic`, `translation-error`", ("crash", "diagnostic", "translation-error"), "end"),
        ("compiled and run: `wrong-result`", ("wrong-result",), "end"),
    ):
        r = rate(toolchain, oracles, 64, phase)
        print(f"| {name} | {r.verdicts:,.0f} | {r.processes:,.0f} |", flush=True)
    counts, judged = found_by_minute(toolchain, MINUTES, SEARCH_SEED)
    print(f"\n| `find --all --target llvm-cpu,vmvx`, minutes | {' | '.join(str(m + 1) for m in range(MINUTES))} |")
    print(f"|---|{'---|' * MINUTES}")
    print(f"| distinct faults, reduced and confirmed ({judged} programs) | {' | '.join(map(str, counts))} |")


def row(name: str, program: str, oracle: str, flags: tuple[str, ...]) -> None:
    """Reduce, and print one row of the second table."""
    with Meter() as meter:
        reduction = reduce(installed(), program, oracle, flags, jobs=1)
    result = reduction.result
    ops = f"{result.before.ops} → {result.after.ops}"
    figures = f"{ops} | {result.tests} | {result.seconds:.1f} | {reduction.compile_s:.2f} s | {meter.overhead:.0%}"
    print(f"| {name} | {figures} |", flush=True)


main()
