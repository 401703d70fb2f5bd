"""Which compiler flags a file may ask for.

A program that somebody sends must not be able to write a file, load code or run a program on the machine that reduces
it. A list of dangerous options would be wrong with the next release, so the rule goes by shape and is closed by
default: IREE's and MLIR's own options, no name that speaks of files, directories, programs or plugins, no value that
could be a path. LLVM's thousands of options, some of which write files without saying so, are out altogether. On the
command line, where the user types, everything is allowed.
"""

from __future__ import annotations

import re

from reducer.errors import FlagError
from reducer.toolchain.flags import split_flag

REFUSED_NAMES = re.compile(
    r"dump|file|path|dir$|library|plugin|linker|artifacts|substitute|preprocess-executables|ptxas|parameter|static"
    r"|reproducer|listing|dotgraph|metallib|link-bitcode|link-embedded|object|use-transform-dialect|-(to|from|with)$|tool|script"
)
"""Parts of names that speak of writing files (`dump`, `-to`), reading them, loading code or running programs."""
REFUSED_PASSES = re.compile(
    REFUSED_NAMES.pattern + r"|snapshot|preload|graph|export|import|\bspec|jit|serialize|interpreter|external"
)
"""The same for the words of a textual pass pipeline: passes and their options."""

_OTHERS = {
    "--compile-to",
    "--compile-from",
    "--compile-mode",
    "--output-format",
    "--verify",
    "--mlir-disable-threading",
}
_SAFE = {"--iree-metal-compile-to-metallib=false", "--iree-llvmcpu-link-embedded=true", "--iree-llvmcpu-link-embedded"}
_PATH = re.compile(r"[/\\~$`@;|&<>\x00-\x1f]|\.\.")


def refuse_flags(flags: tuple[str, ...], origin: str) -> None:
    """Raise FlagError, naming the flag, for the first one that a file must not set. `origin` says where it stands."""
    for flag in flags:
        why = reason_to_refuse(flag)
        if why:
            raise FlagError(
                f"{origin} asks for {split_flag(flag)[0]}, which {why}; "
                "if you trust it, give the flags after `--` on the command line"
            )


def reason_to_refuse(flag: str) -> str:
    """Why a file must not set this flag, as a clause; "" if it may."""
    name, value = split_flag(flag)
    if flag in _SAFE:
        return ""
    if not flag.startswith("-"):
        return "is not a flag"
    if name not in _OTHERS and not name.startswith(("--iree-", "--mlir-")):
        return "is not an option of IREE's own, and a file may set no others"
    if name not in _OTHERS and REFUSED_NAMES.search(name.removeprefix("--")):
        return "could write or read files, load code or run a program"
    if value is None:
        return ""
    if _PATH.search(value):
        return f"has a value that could be a path ({value!r})"
    if "pipeline" in name and REFUSED_PASSES.search(value):
        return "has a pass that could write or read files, load code or run a program"
    return ""
