"""The line on stderr that says how far a long step is."""

import io
import sys

import pytest

from prof_tui import cli


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_it_counts_up_and_erases_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(cli, "_NARRATE_EVERY_S", 0)
    with cli._Narration("Reading:") as progress:
        assert progress(1_500_000, 3_000_000)
        progress(3_000_000, 3_000_000)
    first, second = "Reading: 50.0 % of 3.0 MB", "Reading: 100.0 % of 3.0 MB"
    assert terminal.getvalue() == f"\r{first}\r{second}\r{' ' * len(second)}\r"


def test_a_short_step_and_one_without_a_terminal_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, every_s in ((Terminal(), 60.0), (io.StringIO(), 0.0)):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(cli, "_NARRATE_EVERY_S", every_s)
        with cli._Narration("Reading:") as progress:
            assert progress(1, 2)
        assert stream.getvalue() == ""
