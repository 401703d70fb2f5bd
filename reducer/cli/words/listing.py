"""The words of `reduce list`."""

from __future__ import annotations

from typing import Annotated

import typer

from reducer.cli.options import Iree
from reducer.cli.requests import ListRequest


def listing(
    what: Annotated[str, typer.Argument(metavar="oracles|targets|passes|releases", help="What to list.")],
    iree: Iree = None,
) -> ListRequest:
    """Say which oracles, targets, passes or releases there are."""
    return ListRequest(what, iree)
