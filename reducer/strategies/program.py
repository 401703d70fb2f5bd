"""What the strategies give: a program with the inputs it is run on, and the type of a tensor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """MLIR with one function, `@main`, and what it is run on.

    text: a module, without directives. inputs: one for each argument, as `iree-run-module --input=` takes them, such as
    `2x3xf32=1 -2 3 4 5 -6`, or `2` for a scalar; they say how large dynamic dimensions are.
    """

    text: str
    inputs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class TensorType:
    """The type of a tensor and, where it is dynamic, the sizes it has when the program is run.

    dynamic: one for each dimension, () if all are static. `str(TensorType((2, 3), "f32", (True, False)))` is
    `tensor<?x3xf32>`.
    """

    sizes: tuple[int, ...]
    element: str = "f32"
    dynamic: tuple[bool, ...] = ()

    def __str__(self) -> str:
        sizes = ["?" if self.is_dynamic(axis) else str(size) for axis, size in enumerate(self.sizes)]
        return f"tensor<{''.join(f'{size}x' for size in sizes)}{self.element}>"

    def is_dynamic(self, axis: int) -> bool:
        """Whether the type leaves the size of this dimension open."""
        return bool(self.dynamic) and self.dynamic[axis]

    def of(self, element: str) -> TensorType:
        """The same shape with other elements."""
        return TensorType(self.sizes, element, self.dynamic)
