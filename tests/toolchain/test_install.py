"""The cache: complete or absent, whoever else is at it. `uv` is a script here; the real one is used by `toolchain`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reducer.errors import ToolchainError
from reducer.toolchain import install

UV = """\
#!/bin/sh
echo "$*" >> "$FAKE_UV_LOG"
case "$1" in
venv)
  for home; do :; done
  mkdir -p "$home/bin"; echo made > "$home/bin/python" ;;
pip)
  {pip} ;;
esac
"""
DRIVER = (
    "import sys; from pathlib import Path; from reducer.toolchain import install;"
    "install._find_uv = lambda release: sys.argv[1];"
    "print(install.ensure('3.3.0', lambda line: print(line, flush=True), lambda python: None))"
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("IREE_REDUCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("FAKE_UV_LOG", str(tmp_path / "log"))
    return tmp_path / "cache" / "toolchains-2"


def fake_uv(tmp_path: Path, pip: str) -> str:
    script = tmp_path / "uv"
    script.write_text(UV.format(pip=pip), "utf-8")
    script.chmod(0o755)
    return str(script)


def ensure(release: str = "3.3.0") -> Path:
    return install.ensure(release, lambda line: None, lambda python: None)


def use(monkeypatch: pytest.MonkeyPatch, uv: str) -> None:
    monkeypatch.setattr(install, "_find_uv", lambda release: uv)


def left_over(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir() if not path.name.endswith(".lock"))


HOME = f"3.3.0-cp{sys.version_info[0]}{sys.version_info[1]}"


def test_installs_once(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, fake_uv(tmp_path, ":"))
    python = ensure()
    assert python == cache / HOME / "bin" / "python"
    assert ensure() == python
    log = (tmp_path / "log").read_text("utf-8").splitlines()
    assert len(log) == 2
    assert log[1].endswith("iree-base-compiler==3.3.0 iree-base-runtime==3.3.*,<=3.3.0 numpy ml-dtypes")
    assert left_over(cache) == [HOME]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "error: Request failed after 3 retries cause: Failed to fetch: dns error",
            "IREE 3.3.0 is not in the cache and the package index cannot be reached; "
            "connect once, or give the path of a virtual environment that has it",
        ),
        (
            "Because there is no version of iree-base-compiler==3.3.0 and you require",
            "there is no IREE release '3.3.0' on the package index (no version of iree-base-compiler==3.3.0)",
        ),
        ("No space left on device", "uv could not install IREE 3.3.0: No space left on device"),
    ],
)
def test_a_failure_is_one_line_and_leaves_nothing(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, message: str
) -> None:
    use(monkeypatch, fake_uv(tmp_path, f"echo '{said}' >&2; exit 1"))
    with pytest.raises(ToolchainError) as caught:
        ensure()
    assert str(caught.value) == message
    assert left_over(cache) == []
    use(monkeypatch, fake_uv(tmp_path, ":"))
    assert ensure().exists()


def test_an_installation_that_does_not_work_is_not_kept(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, fake_uv(tmp_path, ":"))

    def broken(python: Path) -> None:
        raise ToolchainError(f"{python.name} does not work")

    with pytest.raises(ToolchainError, match="python does not work"):
        install.ensure("3.3.0", lambda line: None, broken)
    assert left_over(cache) == []


def test_another_python_where_there_is_no_wheel_for_this_one(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = tmp_path / "tried"
    pip = f'[ -e "{tried}" ] || {{ touch "{tried}"; echo "has no wheels with a matching Python ABI tag"; exit 1; }}'
    use(monkeypatch, fake_uv(tmp_path, pip))
    ensure()
    made = [line.split() for line in (tmp_path / "log").read_text("utf-8").splitlines() if line.startswith("venv")]
    assert [words[words.index("--python") + 1] for words in made] == [sys.executable, "3.12"]


def test_an_environment_whose_python_is_gone_is_made_anew(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, fake_uv(tmp_path, ":"))
    python = ensure()
    python.unlink()
    python.symlink_to("/no/such/python3.11")
    assert ensure().read_text("utf-8") == "made\n"
    assert left_over(cache) == [HOME]


def test_two_at_once_install_once(cache: Path, tmp_path: Path) -> None:
    argv = [sys.executable, "-c", DRIVER, fake_uv(tmp_path, "sleep 0.7")]
    runs = [subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(run.communicate(timeout=60)[0] for run in runs)
    python = f"{cache / HOME}/bin/python\n"
    assert said == [
        f"installing IREE 3.3.0 into {cache / HOME} (once)\n{python}",
        f"waiting for another reducer that is installing IREE 3.3.0\n{python}",
    ]
    assert (tmp_path / "log").read_text("utf-8").count("pip install") == 1


def test_killed_while_installing(cache: Path, tmp_path: Path) -> None:
    """The next one waits for the orphaned `uv`, which still writes, clears what it has left, and installs."""
    orphan_done = tmp_path / "orphan-done"
    uv = fake_uv(tmp_path, f'sleep 1; touch "{orphan_done}"')
    with subprocess.Popen([sys.executable, "-c", DRIVER, uv], stdout=subprocess.PIPE, text=True) as first:
        deadline = time.monotonic() + 30
        while "pip" not in (tmp_path / "log").read_text("utf-8") if (tmp_path / "log").exists() else True:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(first.pid, signal.SIGKILL)
    assert not orphan_done.exists()
    assert not (cache / HOME).exists()
    second = subprocess.run([sys.executable, "-c", DRIVER, uv], capture_output=True, text=True, timeout=60, check=True)
    assert orphan_done.exists()
    assert second.stdout.startswith("waiting for another reducer")
    assert left_over(cache) == [HOME]


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("IREE_REDUCE_CACHE", str(tmp_path / "file"))
    use(monkeypatch, fake_uv(tmp_path, ":"))
    with pytest.raises(ToolchainError) as caught:
        ensure()
    assert str(caught.value) == (
        f"cannot install IREE 3.3.0 into {tmp_path}/file/toolchains-2: Not a directory; "
        "IREE_REDUCE_CACHE names another place"
    )


def test_no_uv(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import uv

    def nothing() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(uv, "find_uv_bin", nothing)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ToolchainError, match=r"IREE 3\.3\.0 is not in the cache and there is no uv to install it with"):
        ensure()
