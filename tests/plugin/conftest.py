"""Each test runs a pytest of its own, strict about warnings, with the releases that are in the user's cache."""

from __future__ import annotations

import pytest

from reducer.toolchain.install import cache_directory

CACHE = str(cache_directory().parent)  # before pytester moves the home directory


@pytest.fixture(autouse=True)
def strict(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IREE_REDUCE_CACHE", CACHE)
    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.delenv("CI", raising=False)  # Hypothesis has other defaults there
    pytester.makeini(
        "[pytest]\nfilterwarnings = error\naddopts = -p no:cacheprovider --strict-markers --strict-config\n"
    )
