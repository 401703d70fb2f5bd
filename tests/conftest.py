"""Toolchains for every test: the installed IREE, and any other release by way of the user's cache."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

import pytest

from reducer.toolchain import releases
from reducer.toolchain.releases import Toolchain

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def installed() -> Toolchain:
    return releases.installed()


@pytest.fixture(scope="session")
def toolchain() -> Callable[[str], Toolchain]:
    """Any release, by its version; installed once into the user's cache."""

    @cache
    def resolve(release: str) -> Toolchain:
        return releases.resolve(release, lambda line: print(line, file=sys.stderr))

    return resolve
