"""The IREE releases, the targets, and the processes that run them: how the main process drives IREE without importing it."""
