"""The words of the command line: which command they are for, and what is wrong with them.

Makes requests and carries nothing out. What stands after `--` never reaches typer: it belongs to `iree-compile`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import typer

from reducer.cli.exits import MEANINGS
from reducer.cli.requests import (
    BisectRequest,
    CheckRequest,
    FindRequest,
    ListRequest,
    ReduceRequest,
    ReportRequest,
    Request,
    TriageRequest,
)
from reducer.cli.words.bisect import bisect
from reducer.cli.words.check import check
from reducer.cli.words.find import find
from reducer.cli.words.listing import listing
from reducer.cli.words.reduce import reduce
from reducer.cli.words.report import report
from reducer.cli.words.triage import triage
from reducer.errors import InputError

COMMANDS: dict[str, Callable[..., Request]] = {
    "bisect": bisect,
    "check": check,
    "find": find,
    "list": listing,
    "report": report,
    "triage": triage,
}
"""By the first word; anything else there is a program to reduce."""

OF_A_CASE = (ReduceRequest, CheckRequest, BisectRequest, ReportRequest)
"""The requests with a case, to which the words after `--` belong."""

INTERRUPTED = 130
EPILOG = "\n\n".join(
    (
        "Other commands, each with a --help of its own: `reduce check FILE|FOLDER` judges with fresh stock processes; "
        "`reduce find` looks for faults; `reduce triage` says what flags do to a program; "
        "`reduce bisect` says since when a fault shows; `reduce report` writes a bug report; "
        "`reduce list oracles|targets|passes|releases` says what there is. "
        "A program of such a name is written with its folder: ./check.",
        "\b\nExit codes:\n" + "\n".join(f"  {int(code):>3}  {meaning}" for code, meaning in MEANINGS),
    )
)

USAGE_ERROR: type[BaseException] = typer.BadParameter.__mro__[1]  # click's, or the copy of it that newer typers carry


def parse(words: Sequence[str]) -> Request | None:
    """The request that the words make; None if they asked for help or the version, which is printed.

    Raises InputError for anything that cannot be understood.
    """
    own, after = _split(words)
    name = own[0] if own and own[0] in COMMANDS else "reduce"
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    if name == "reduce":
        app.command(options_metavar="[OPTIONS] --oracle NAME", epilog=EPILOG)(reduce)
    else:
        app.command()(COMMANDS[name])
    shown = "reduce" if name == "reduce" else f"reduce {name}"
    try:
        request = typer.main.get_command(app).main(
            list(own if name == "reduce" else own[1:]), prog_name=shown, standalone_mode=False
        )
    except USAGE_ERROR as error:
        raise InputError(f"{_said(error)}; see `{shown} --help`") from error
    except typer.Abort:
        raise KeyboardInterrupt from None
    if request == INTERRUPTED:  # typer's answer to a signal that comes while it reads the words
        raise KeyboardInterrupt
    if isinstance(request, OF_A_CASE):
        return replace(request, case=replace(request.case, words=after))
    if isinstance(request, FindRequest | TriageRequest):
        return replace(request, words=after)
    return request if isinstance(request, ListRequest) else None


def _split(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    if "--" not in words:
        return tuple(words), None
    at = list(words).index("--")
    return tuple(words[:at]), tuple(words[at + 1 :])


def _said(error: BaseException) -> str:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    text = " ".join(message.split()).rstrip(".")
    if "unexpected extra argument" in text:
        text += f" (flags for iree-compile stand after --; {', '.join(COMMANDS)} come first)"
    return text
