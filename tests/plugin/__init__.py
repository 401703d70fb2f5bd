"""Tests of the pytest plugin, each in a pytest of its own."""
