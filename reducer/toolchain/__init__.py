"""The IREE releases, the targets, and the processes that run them. The main process drives IREE through here and never imports it."""
