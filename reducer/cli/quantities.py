"""Sizes and times as people write them."""

from __future__ import annotations

import math
import re

from reducer.errors import InputError

_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SECONDS = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_memory_bytes(text: str, option: str) -> int:
    """`8G`, `512M`, `512MiB`, `1.5g`, `4096` as bytes (powers of 1024). Raises InputError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?", text.strip(), re.IGNORECASE)
    size = int(float(match[1]) * _BYTES[match[2].upper()]) if match else 0
    if size <= 0:
        raise InputError(f"{option} {text!r} is not a size; write for instance 8G or 512M")
    return size


def show_memory(size_bytes: int) -> str:
    """A size as one types it: `5M`, `1536M`, `8G`; bytes where nothing else is exact."""
    unit = next(u for u in ("T", "G", "M", "K", "") if size_bytes % _BYTES[u] == 0)
    return f"{size_bytes // _BYTES[unit]}{unit}"


def parse_seconds(text: str, option: str) -> float:
    """`30`, `2.5s`, `500ms`, `10m`, `2h` as seconds. Raises InputError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?", text.strip(), re.IGNORECASE)
    seconds = float(match[1]) * _SECONDS[(match[2] or "").lower()] if match else 0.0
    if seconds <= 0 or not math.isfinite(seconds):
        raise InputError(f"{option} {text!r} is not a time; write for instance 30, 90s, 10m or 2h")
    return seconds


def show_seconds(seconds: float) -> str:
    """A time for people: `4.2 s`, `1:30 min`, `2:05 h`."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    if seconds < 6000:
        return f"{int(seconds) // 60}:{int(seconds) % 60:02} min"
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02} h"


def count(number: int, noun: str) -> str:
    """`1 op`, `1,574 ops`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
