"""Benchmarks: speeds as ratios, measured side by side in one run.

`python -m tests.benchmarks` prints the README's table.
"""
