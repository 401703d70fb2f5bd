"""Releases of IREE, targets, and the processes that run them: how the main process drives what it never imports."""
