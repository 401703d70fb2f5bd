"""Tests of `reduce bisect`."""
