"""Reduces MLIR programs on which IREE misbehaves. See ARCHITECTURE.md beside this file."""
