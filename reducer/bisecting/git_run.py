"""A script for `git bisect run` in a checkout of IREE: builds the compiler, and asks it about the fault.

Owns the translation of a repro script's exit status: it says 0 for a fault that shows and 1 for one that does not; git
wants it the other way round, and 125 where a revision cannot be judged.
"""

from __future__ import annotations

import shlex

_TEXT = """\
#!/bin/sh
# {seen}
# In a checkout of IREE whose build folder is $BUILD (default: ../iree-build):
#   git bisect start {terms}{then} {first}
#   git bisect run sh {here}
# It builds {needs}. Exit status: {meaning}, 125 it cannot be told.
set -u
build=${{BUILD:-../iree-build}}
git submodule update --init --recursive --quiet || exit 125
cmake --build "$build" --target iree-compile{target} || exit 125
for compiler in "$build/tools/iree-compile" "$build/compiler/iree-compile"; do
  [ -x "$compiler" ] && break
done
[ -x "$compiler" ] || {{ echo "there is no iree-compile in $build" >&2; exit 125; }}
work=$(mktemp -d) || exit 125
trap 'rm -rf "$work"' EXIT
cat >"$work/"{name} <<'END_OF_PROGRAM'
{program}END_OF_PROGRAM
cat >"$work/show.sh" <<'END_OF_SCRIPT'
{script}END_OF_SCRIPT
IREE_COMPILE=$compiler {run_module}sh "$work/show.sh" "$work/"{name}
case $? in
  0) exit {shows} ;;
  1) exit {shows_not} ;;
  *) exit 125 ;;
esac
"""


def write_git_run(
    program: str, script: str, *, seen: str, name: str, here: str, first: str, then: str, fixes: bool, runs: bool
) -> str:
    """The text of the script.

    script: of the repro, which takes the program's path. name: of the program's file; here: of this script's. first,
    then: commits to begin with, the older first. fixes: whether the newer one is without the fault: then "good" is what
    has it. runs: whether the program is run too.
    """
    meaning = "0 it shows, 1 it does not" if fixes else "0 it does not show, 1 it does"
    return _TEXT.format(
        seen=seen.splitlines()[0], first=first, then=then, here=shlex.quote(here), name=shlex.quote(name),
        terms="--term-old=broken --term-new=fixed " if fixes else "", meaning=meaning, shows=0 if fixes else 1,
        shows_not=1 if fixes else 0, program=program if program.endswith("\n") else program + "\n", script=script,
        needs="iree-compile and iree-run-module" if runs else "iree-compile", target=" iree-run-module" if runs else "",
        run_module="IREE_RUN_MODULE=$build/tools/iree-run-module " if runs else "",
    )  # fmt: skip
