"""Oracles: each encodes one way in which IREE misbehaves. Pure: no process, no file, no thread."""
