"""The messages between the main process and a worker: requests and replies, plain values.

Both sides import this module and `framing.py`, how a message is written, and nothing else of each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracles.experiment import Location, Observation, ResultSeen


@dataclass(frozen=True)
class Size:
    """How big a program is.

    ops: operations as printed, terminators and constants included, the module not.
    ranks: sum of the ranks of all tensor (memref, vector) types of results and block arguments.
    elements: sum of their elements; a dynamic dimension counts as 64, so that a small static one is simpler.
    numbers: the other numbers: constants, pad amounts, strides, dilations …, as sum of magnitudes (0 and unit strides
    are free); \
and one for each result or argument whose element type is not f32.
    text_bytes: UTF-8 bytes of the canonical text.
    """

    ops: int
    ranks: int
    elements: int
    numbers: int
    text_bytes: int


@dataclass(frozen=True)
class Parameter:
    """A number of a program that can be set on its own.

    name: where it stands and what it is, for people and stable under assignment (`pad#0 high[1]`, `dim main/%arg0[2]`).
    value: now; low: the smallest legal value; simplest: what to shrink towards, low <= simplest.
    high: the largest legal value worth trying; never less than value.
    labels: for a choice rather than a quantity (an element type, a convolution kind): what each value 0..n-1 means,
    simplest first.
    """

    name: str
    value: int
    low: int
    high: int
    simplest: int
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hello:
    """First message of a worker: it is ready. passes: the names of PASSES, in order."""

    python: str
    pid: int
    passes: tuple[str, ...]


@dataclass(frozen=True)
class CompileRequest:
    """Compile `program` to `phase` under the flags that the worker was started with.

    output: a file for the compiled module, of a compilation to "end"; "" for none.
    """

    program: str
    phase: str
    ir: bool
    output: str = ""


@dataclass(frozen=True)
class MeasureRequest:
    """Parse, verify and print `program` in canonical form (no locations, no aliases)."""

    program: str


@dataclass(frozen=True)
class SitesRequest:
    """List the sites of a pass."""

    program: str
    pass_name: str


@dataclass(frozen=True)
class ApplyRequest:
    """Apply a pass at the sites with these numbers (in the order of the list of sites)."""

    program: str
    pass_name: str
    sites: tuple[int, ...]


@dataclass(frozen=True)
class SliceRequest:
    """Cut the program down to the ops at these places, `users` generations of their users, and what these need.

    depth: how many generations of producers are kept; what is beyond them becomes arguments.
    """

    program: str
    locations: tuple[Location, ...]
    depth: int
    users: int = 0


@dataclass(frozen=True)
class InlineRequest:
    """Inline all calls, with MLIR's own inliner, and drop the functions that nothing calls any more."""

    program: str


@dataclass(frozen=True)
class InputsRequest:
    """Give every argument of every entry function an input (`passes/inputs.py`).

    inputs: of a function with as many arguments, as `iree-run-module` takes them; random ones elsewhere, from `seed`.
    """

    program: str
    inputs: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class JoinRequest:
    """Make functions of one module of programs with one entry function each, and give each its inputs.

    programs: any number; names: of the functions; inputs: as in an `InputsRequest`, for each program.
    """

    programs: tuple[str, ...]
    names: tuple[str, ...]
    inputs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class BareRequest:
    """Take the inputs off the arguments again."""

    program: str


@dataclass(frozen=True)
class Array:
    """A tensor, or a scalar without dimensions.

    element: as MLIR spells it (`bf16`); data: its bytes in row-major order, in base64. Or element is "npy", and data is
    a whole file of NumPy's.
    """

    shape: tuple[int, ...]
    element: str
    data: str


@dataclass(frozen=True)
class EvaluateRequest:
    """What each entry function is run on, and what it should return.

    program: as the compiler's "input" phase leaves it. source: before that, with its inputs on its arguments.
    """

    program: str
    source: str


@dataclass(frozen=True)
class CompareRequest:
    """Hold what a function returned against what it should return: by the last evaluation, or `expected` if given."""

    function: str
    results: tuple[Array, ...]
    expected: tuple[Array, ...]
    rtol: float | None
    atol: float | None


@dataclass(frozen=True)
class ParametersRequest:
    """List the parameters of a program."""

    program: str


@dataclass(frozen=True)
class AssignRequest:
    """Set all parameters of a program, in the order of the list of parameters."""

    program: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class VariantsRequest:
    """Make programs that differ in one way that may matter to the pad with this number (in the order of the text).

    after: names of ways in which they all differ.
    """

    program: str
    pad: int
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edited:
    """The program after an edit; or, with `invalid`, why there is none (the verifier's words)."""

    program: str = ""
    size: Size | None = None
    invalid: str = ""


@dataclass(frozen=True)
class Sites:
    """What each site of a pass would do, one line a site (`%3 = tensor.pad: becomes an argument`)."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Parameters:
    """The parameters of a program."""

    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Variant:
    """A program, and in what it differs. says: what is true of it, a clause."""

    name: str
    says: str
    program: str


@dataclass(frozen=True)
class Variants:
    """The answer to a `VariantsRequest`: those that there are and that verify, in a fixed order."""

    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class Evaluated:
    """One entry function of an `EvaluateRequest`.

    inputs: as `iree-run-module` takes them; expected: the same of the results, if the reference is defined.
    results: the element type of each result, "" for what is no tensor or number.
    reference, why: as in `FunctionRun`. seconds: of the evaluation.
    """

    function: str
    inputs: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    reference: str = "defined"
    why: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Evaluation:
    """The answer to an `EvaluateRequest`: every entry function, in order."""

    functions: tuple[Evaluated, ...]


@dataclass(frozen=True)
class Comparison:
    """The answer to a `CompareRequest`, one entry a result.

    expected, got: as `iree-run-module` writes them; "" for what is too large. margins: of each result that is of the
    right shape and type, its element type with what `Margin` says.
    """

    results: tuple[ResultSeen, ...]
    expected: tuple[str, ...]
    got: tuple[str, ...]
    margins: tuple[tuple[str, float, float, float], ...] = ()


@dataclass(frozen=True)
class Failure:
    """The worker could not do what was asked: a defect of an edit, never of the program under test."""

    message: str


Request = (
    CompileRequest
    | MeasureRequest
    | SitesRequest
    | ApplyRequest
    | SliceRequest
    | InlineRequest
    | InputsRequest
    | JoinRequest
    | BareRequest
    | ParametersRequest
    | AssignRequest
    | VariantsRequest
    | EvaluateRequest
    | CompareRequest
)
Reply = Hello | Observation | Edited | Sites | Parameters | Variants | Evaluation | Comparison | Failure
