"""What an op's own verifier thinks of other types and attributes: asked of copies that stand in a scratch function.

Owns the copies, and how many may be made: the answers cost a tenth of a millisecond each, and every listing and every
assignment asks for them anew. Only ops without regions can be tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from iree.compiler import ir

from reducer.passes import bindings

MOST_TRIALS = 1500
_SCRATCH = "func.func private @scratch() { return }"


class Trials:
    """Asks verifiers; the same question once."""

    def __init__(self) -> None:
        self.left = MOST_TRIALS
        self._module: Any = None
        self._types: dict[str, Any] = {}
        self._answers: dict[Any, bool] = {}

    def verifies(
        self, op: Any, operands: Sequence[str], results: Sequence[str], attributes: Mapping[str, ir.Attribute]
    ) -> bool:
        """Whether an op of this name verifies with operands and results of these types and all these attributes.

        No, once there were too many questions.
        """
        question = (op.name, tuple(operands), tuple(results), tuple(attributes.items()))
        if question not in self._answers:
            if self.left <= 0:
                return False
            self.left -= 1
            self._answers[question] = self._try(op, operands, results, attributes)
        return self._answers[question]

    def _try(
        self, op: Any, operands: Sequence[str], results: Sequence[str], attributes: Mapping[str, ir.Attribute]
    ) -> bool:
        """Nothing that is made here may be left when this returns: older bindings would take it for something else."""
        try:
            types = [self._type(text) for text in (*operands, *results)]
        except ir.MLIRError:
            return False
        end, context = self._end(), op.context
        source = bindings.create(
            "builtin.unrealized_conversion_cast", context, end, results=types[: len(operands)], attributes={}
        )
        copy = bindings.create(
            op.name,
            context,
            end,
            results=types[len(operands) :],
            operands=list(source.results),
            attributes=attributes,
        )
        answer = bindings.verifies(copy)
        bindings.erase(copy)
        bindings.erase(source)
        return answer

    def _type(self, text: str) -> Any:
        if text not in self._types:
            self._types[text] = ir.Type.parse(text)
        return self._types[text]

    def _end(self) -> Any:
        """The op in front of which copies are put."""
        if self._module is None:
            self._module = ir.Module.parse(_SCRATCH)
        function = next(iter(self._module.body.operations)).operation
        return next(iter(next(iter(function.regions[0].blocks)).operations)).operation
