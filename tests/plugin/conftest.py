"""Pytest inside pytest."""

pytest_plugins = ["pytester"]
