"""Each test runs a pytest of its own, strict about warnings, with the releases that are in the user's cache."""

from __future__ import annotations

import pytest

from reducer.toolchain.install import cache_directory

HYPOTHESIS_IN_CI = (
    "CI", "__TOX_ENVIRONMENT_VARIABLE_ORIGINAL_CI", "TF_BUILD", "bamboo.buildKey", "BUILDKITE", "CIRCLECI", "CIRRUS_CI",
    "CODEBUILD_BUILD_ID", "GITHUB_ACTIONS", "GITLAB_CI", "HEROKU_TEST_RUN_ID", "TEAMCITY_VERSION",
)  # fmt: skip
"""Where Hypothesis has other defaults."""
CACHE = str(cache_directory().parent)  # before pytester moves the home directory


@pytest.fixture(autouse=True)
def strict(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IREE_REDUCE_CACHE", CACHE)
    monkeypatch.setenv("COLUMNS", "250")
    for name in HYPOTHESIS_IN_CI:
        monkeypatch.delenv(name, raising=False)
    pytester.makeini(
        "[pytest]\nfilterwarnings = error\naddopts = -p no:cacheprovider --strict-markers --strict-config\n"
    )
