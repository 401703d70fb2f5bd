"""What a worker does with a program: parse, list a pass's sites, apply it, verify, print.

Owns the canonical text: no locations, no aliases, no plain module around everything, nothing elided. A pass is only
ever run through `list_sites` and `apply`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from iree.compiler import ir
from iree.compiler.passmanager import PassManager

from reducer.passes.bindings import plain_ops
from reducer.passes.sites import Pass

_BYTECODE = b"ML\xefR".decode("utf-8", "surrogateescape")
_RESOURCE = "dense_resource<"
_USE = re.compile(r"dense_resource<([^>]+)>")
_BLOBS = re.compile(r"\n\{-#\n  dialect_resources: \{\n    builtin: \{\n(.*?)\n    \}\n  \}\n#-\}\n*\Z", re.DOTALL)
_MODULE = re.compile(
    r"(?P<before>(?:#[^\n]*\n)*)module \{\n(?P<body>.*?)^\}\n(?P<after>(?:\n?\{-#.*)?)\Z", re.DOTALL | re.MULTILINE
)
_BLOB = re.compile(r"^ *(\S.*?): (\"0x[0-9A-Fa-f]*\"),?$", re.MULTILINE)


def parse(context: ir.Context, text: str) -> ir.Module:
    """The program, parsed and verified; raises ir.MLIRError, whose message is the parser's own.

    Bytecode, carried as surrogates, is given to the parser as the bytes that it was.
    """
    if text.startswith(_BYTECODE):
        return ir.Module.parse(text.encode("utf-8", "surrogateescape"), context)
    return ir.Module.parse(text, context)


def print_canonical(module: ir.Module) -> str:
    """The text of a module without locations, and without aliases unless it holds resource blobs.

    MLIR prints blobs only together with aliases. Programs that do not verify must not be printed.
    """
    text = str(module.operation.get_asm(use_local_scope=True))
    if _RESOURCE in text:
        text = _rename_blobs(str(module.operation.get_asm()))
    return _unwrap(text if text.endswith("\n") else text + "\n")


def _unwrap(text: str) -> str:
    """Leave out the `module { … }` around everything, which says nothing, as people do in tests and bug reports.

    It stays where it has attributes or a name, where nothing is inside, and where all that is inside is another module
    (which would then be taken for the outer one).
    """
    match = _MODULE.match(text)
    if match is None or not match["body"] or re.match(r" *(?:builtin\.)?module\b", match["body"]):
        return text
    body = re.sub(r"^  ", "", match["body"], flags=re.MULTILINE)
    return match["before"] + body + match["after"]


def _rename_blobs(text: str) -> str:
    """Name resource blobs `blob`, `blob_1` … by their first use.

    A context remembers the names of all that it ever parsed and gives the next program's blobs others, so that the same
    program would not print the same twice.
    """
    section = _BLOBS.search(text)
    if section is None:
        return text
    body = text[: section.start()]
    names: dict[str, str] = {}
    for key in _USE.findall(body):
        names.setdefault(key, f"blob_{len(names)}" if names else "blob")
    contents = dict(_BLOB.findall(section.group(1)))
    if not names.keys() <= contents.keys():
        return text
    body = _USE.sub(lambda match: f"{_RESOURCE}{names[match.group(1)]}>", body)
    blobs = ",\n".join(f"      {new}: {contents[old]}" for old, new in names.items())
    return f"{body}\n{{-#\n  dialect_resources: {{\n    builtin: {{\n{blobs}\n    }}\n  }}\n#-}}\n"


def list_sites(pass_: Pass, module: ir.Module) -> list[str]:
    """The labels of the pass's sites, in order. Leaves the module as it was."""
    labels: list[str] = []

    def refuse(label: str) -> bool:
        labels.append(label)
        return False

    with plain_ops():
        pass_(module, refuse)
    return labels


def apply(pass_: Pass, module: ir.Module, sites: Sequence[int]) -> None:
    """Apply the pass at the sites with these numbers. The module may not verify afterwards."""
    wanted = frozenset(sites)
    count = 0

    def choose(_label: str) -> bool:
        nonlocal count
        count += 1
        return count - 1 in wanted

    with plain_ops():
        pass_(module, choose)


def inline_everything(module: ir.Module) -> None:
    """Inline calls with MLIR's own pass, and drop private functions that nothing calls any more.

    Raises ir.MLIRError where a pass fails.
    """
    manager = PassManager.parse("builtin.module(inline,symbol-dce)", module.context)
    manager.run(module.operation)


def verify(module: ir.Module) -> str:
    """The first error of MLIR's verifier, "" if there is none."""
    try:
        ok = module.operation.verify()
    except ir.MLIRError as error:
        messages = [d.message for d in error.error_diagnostics]
        return messages[0] if messages else str(error).split("\n", 1)[0]
    return "" if ok is not False else "the verifier rejects the program"
