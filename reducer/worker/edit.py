"""Answers the requests that change a program: parse, list sites, apply, verify, print. Never compiles.

Owns the MLIR context and the one program it has parsed last: a search asks many questions about the same program.
"""

from __future__ import annotations

import re
from typing import Any

from iree.compiler import ir

from reducer import parameters, wire
from reducer.passes import PASSES, editing, inputs
from reducer.passes.input_values import InputError
from reducer.passes.join import join
from reducer.passes.size import measure
from reducer.passes.slice import NotThereError, slice_at
from reducer.worker.variants import vary

RESOURCES = "dialect_resources:"
_NAMELESS = re.compile(r'\Aerror: "-":(?=\d)|\Aerror: ')


class Editor:
    """Edits programs of the release whose bindings are loaded."""

    def __init__(self) -> None:
        self._context = ir.Context()
        self._passes = {p.__name__: p for p in PASSES}
        self._text: str | None = None
        self._module: Any = None

    @property
    def pass_names(self) -> tuple[str, ...]:
        """The passes, in the order in which they should be tried."""
        return tuple(self._passes)

    def answer(self, request: Any) -> wire.Reply:
        """Do what the request asks. A program that is not valid, before or after, is an `Edited` that says so."""
        if isinstance(request, wire.JoinRequest):
            return self._join(request)
        if RESOURCES in request.program:
            self._forget()
        with self._context, ir.Location.unknown():
            try:
                module = self._parse(request.program)
            except ir.MLIRError as error:
                return wire.Edited(invalid=_first_line(error))
            match request:
                case wire.SitesRequest():
                    return wire.Sites(tuple(editing.list_sites(self._passes[request.pass_name], module)))
                case wire.VariantsRequest():
                    return vary(self._context, request)
                case wire.ParametersRequest():
                    return wire.Parameters(tuple(parameters.parameters(module)))
                case _:
                    return self._edit(request)

    def _join(self, request: wire.JoinRequest) -> wire.Edited:
        try:
            with ir.Context() as context, ir.Location.unknown():
                module = join(context, request.programs, request.names, request.inputs)
                text = editing.print_canonical(module)
                return wire.Edited(program=text, size=measure(module, text))
        except ir.MLIRError as error:
            return wire.Edited(invalid=_first_line(error))
        except InputError as error:
            return wire.Edited(invalid=str(error))

    def _forget(self) -> None:
        """Start with a new context: one keeps every blob that it ever parsed."""
        self._module, self._text = None, None
        self._context = ir.Context()

    def _parse(self, text: str) -> Any:
        if self._text != text:
            self._module, self._text = None, None
            self._module = editing.parse(self._context, text)
            self._text = text
        return self._module

    def _edit(self, request: Any) -> wire.Edited:
        module = self._module
        if not isinstance(request, wire.MeasureRequest):
            self._module, self._text = None, None  # the edit happens in place
        try:
            match request:
                case wire.ApplyRequest():
                    editing.apply(self._passes[request.pass_name], module, request.sites)
                case wire.SliceRequest():
                    slice_at(module, request.locations, request.depth, request.users)
                case wire.InlineRequest():
                    editing.inline_everything(module)
                case wire.AssignRequest():
                    parameters.assign(module, request.values)
                case wire.InputsRequest():
                    inputs.annotate(module, request.inputs, request.seed)
                case wire.BareRequest():
                    inputs.strip(module)
        except (parameters.Invalid, NotThereError, InputError) as error:
            return wire.Edited(invalid=str(error))
        problem = editing.verify(module)
        if problem:
            return wire.Edited(invalid=problem)
        text = editing.print_canonical(module)
        return wire.Edited(program=text, size=measure(module, text))


def _first_line(error: Exception) -> str:
    """The parser's own first error, with line and column: the text that it reads has no name."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = next((line for line in lines if "error:" in line), lines[0] if lines else "cannot parse")
    return _NAMELESS.sub("", first)
