"""MLIR in colours: a lexer for Pygments, and lines with marks."""

from __future__ import annotations

import io
from collections.abc import Collection
from typing import ClassVar

from markupsafe import Markup
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)


class MlirLexer(RegexLexer):
    """MLIR as IREE prints it: ops, types, values, symbols, numbers."""

    name = "MLIR"
    url = "https://mlir.llvm.org/docs/LangRef/"
    aliases: ClassVar[list[str]] = ["mlir"]
    filenames: ClassVar[list[str]] = ["*.mlir"]
    tokens: ClassVar[dict[str, list[tuple[str, object]]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"%[\w$.-]+(?:#\d+)?", Name.Variable),
            (r"@(?:\"[^\"]*\"|[\w$.-]+)", Name.Function),
            (r"\^[\w$.-]+", Name.Label),
            (r"[#!][\w$.-]+", Name.Decorator),
            (r"(?:tensor|memref|vector|complex|tuple|dense|affine_map|array)(?=<)", Keyword.Type),
            (r"(?:index|none|[su]?i\d+|bf16|tf32|f\d+(?:E\d+M\d+\w*)?)\b", Keyword.Type),
            (r"(?:true|false|unit|loc|ins|outs|low|high|nofold|to|into|attributes|private|public)\b", Keyword),
            (r"[A-Za-z_]\w*(?:\.[A-Za-z_][\w$]*)+", Name.Builtin),
            (r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", Number),
            (r"x(?=[\d?a-z!])", Punctuation),
            (r"->|[=*+-]", Operator),
            (r"[A-Za-z_]\w*", Name),
            (r"[{}()\[\]<>,:?|]", Punctuation),
            (r".", Text),
        ]
    }


def highlight(program: str, marked: Collection[int]) -> Markup:
    """The program as HTML, a span a line (the page numbers them); marked: numbers of lines, from 1, that stand out."""
    out = io.StringIO()
    formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)
    formatter.format(MlirLexer(stripnl=False).get_tokens(program), out)
    html = out.getvalue().rstrip("\n").split("\n")
    lines = [
        f'<span class="line{" marked" if number in marked else ""}">{line}\n</span>'
        for number, line in enumerate(html, 1)
    ]
    return Markup("".join(lines))  # Pygments has escaped what is in it
