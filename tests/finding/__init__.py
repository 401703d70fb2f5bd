"""Tests of `reduce find`."""
