"""Made-up histories: what is asked, and what is said of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducer.bisecting.history import Answer, Change, Shown, Stretch, changes, next_release, stretches, summary

RELEASES = tuple(f"3.{n}.0" for n in range(16))
SAID = {"x": Shown.YES, ".": Shown.NO, "?": Shown.CANNOT_TELL}


def ask(history: str, first: int = 15, *, everything: bool = False) -> dict[str, Answer]:
    """What is asked of releases with this history, in order."""
    answers: dict[str, Answer] = {}
    while (release := next_release(RELEASES, answers, RELEASES[first], everything=everything)) is not None:
        assert release not in answers
        answers[release] = Answer(SAID[history[RELEASES.index(release)]])
    return answers


@pytest.mark.parametrize(
    ("history", "first", "most", "lines"),
    [
        ("xxxxxxxx........", 3, 7, ["shown by 3.0.0 … 3.7.0", "last bad 3.7.0, first good 3.8.0"]),
        ("........xxxxxxxx", 15, 6, ["shown by 3.8.0 … 3.15.0", "first bad 3.8.0, last good 3.7.0"]),
        (
            "...xx...........", 4, 9,
            ["shown by 3.3.0 … 3.4.0", "first bad 3.3.0, last good 3.2.0", "last bad 3.4.0, first good 3.5.0",
             "it came and went again: the history is not monotonic"],
        ),
        (
            "xxxx....xxxxxxxx", 6, 10,
            ["shown by 3.0.0 … 3.3.0, 3.8.0 … 3.15.0", "last bad 3.3.0, first good 3.4.0",
             "first bad 3.8.0, last good 3.7.0", "it comes and goes: the history is not monotonic"],
        ),
        ("xxxxxxxxxxxxxxxx", 5, 3, ["shown by 3.0.0 … 3.15.0", "every release that could judge it shows it"]),
        ("................", 5, 3, ["no release that could judge it shows it"]),
        ("????????????????", 5, 16, ["no release that could judge it shows it"]),
        ("????????xxxx....", 9, 16, ["shown by 3.8.0 … 3.11.0", "last bad 3.11.0, first good 3.12.0"]),
        ("...........????x", 15, 10, ["shown by 3.15.0", "first bad 3.15.0, last good 3.10.0"]),
    ],
)  # fmt: skip
def test_a_history_is_found_with_few_questions(history: str, first: int, most: int, lines: list[str]) -> None:
    answers = ask(history, first)
    assert next(iter(answers)) == RELEASES[first]
    assert len(answers) <= most
    assert summary(RELEASES, answers) == lines
    assert summary(RELEASES, ask(history, first, everything=True)) == lines


def test_everything_asks_each_release_once_the_own_first() -> None:
    answers = ask("x" * 16, 7, everything=True)
    assert list(answers) == [RELEASES[7], *RELEASES[:7], *RELEASES[8:]]


def test_only_everything_sees_what_hides_between_two_that_agree() -> None:
    assert len(changes(RELEASES, ask("....x...........", 0))) == 0
    assert len(changes(RELEASES, ask("....x...........", 0, everything=True))) == 2


def test_what_was_not_asked_is_told_from_what_was() -> None:
    answers = ask("xxxxxxxx........", 3)
    first, second = stretches(RELEASES, answers)
    assert (first.shown, first.first, first.last) == (Shown.YES, "3.0.0", "3.7.0")
    assert set(first.asked) | set(second.asked) == set(answers)
    assert "3.1.0" not in first.asked


def test_releases_that_cannot_judge_are_a_stretch_of_their_own() -> None:
    answers = ask("..??xx..........", 4, everything=True)
    assert stretches(RELEASES, answers)[1] == Stretch(Shown.CANNOT_TELL, "3.2.0", "3.3.0", ("3.2.0", "3.3.0"))
    assert changes(RELEASES, answers)[0] == Change("3.1.0", "3.4.0", begins=True)


@given(st.text("x.?", min_size=16, max_size=16), st.integers(0, 15))
def test_every_change_that_is_told_is_real_and_exact(history: str, first: int) -> None:
    answers = ask(history, first)
    for change in changes(RELEASES, answers):
        before, after = RELEASES.index(change.before), RELEASES.index(change.after)
        assert {history[before], history[after]} == {"x", "."}
        assert set(history[before + 1 : after]) <= {"?"}
        assert (history[after] == "x") == change.begins


@given(st.integers(0, 16), st.integers(0, 15), st.booleans())
def test_a_monotonic_history_is_told_as_it_is(turn: int, first: int, begins: bool) -> None:
    history = "." * turn + "x" * (16 - turn) if begins else "x" * turn + "." * (16 - turn)
    answers = ask(history, first)
    assert len(answers) <= 8
    assert len(changes(RELEASES, answers)) == (0 < turn < 16)
    for stretch in stretches(RELEASES, answers):
        said = {SAID[history[i]] for i in range(RELEASES.index(stretch.first), RELEASES.index(stretch.last) + 1)}
        assert said == {stretch.shown}
