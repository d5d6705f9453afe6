import threading
from pathlib import Path

from prof_tui.data.findings.finding import Finding, NotChecked
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.overview import Overview
from prof_tui.panes.overview.findings_list import Noted
from prof_tui.panes.overview.reading import AllChecked, Answered, Asked, Checking, Stopped, answer_parts
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import OP_HEADER, STEP_HEADER, op_lines, step_lines, text


def answers(
    capture: OpenCapture, *, steady_from: int | None = None, cancelled: threading.Event | None = None
) -> list[object]:
    """All that a worker tells, in order."""
    told: list[Answered] = []
    asked = Asked(steady_from)
    answer_parts(capture, asked, None, cancelled or threading.Event(), told.append)
    assert {each.asked for each in told} == {asked}
    return [each.answer for each in told]


def test_the_run_comes_first_then_its_times_then_findings_one_by_one(capture: OpenCapture) -> None:
    told = answers(capture)
    kinds = [type(each) for each in told if not isinstance(each, Checking)]
    assert kinds[:3] == [Overview, Overview, Overview]
    assert set(kinds[3:-1]) == {Finding, NotChecked}
    [last] = [each for each in told if isinstance(each, AllChecked)]
    assert told[-1] is last
    found = [each for each in told if isinstance(each, Finding)]
    assert sorted(found, key=lambda one: one.ranking) == list(last.findings.findings)
    done = [each.per_cent for each in told if isinstance(each, Checking)]
    assert done == sorted(set(done))
    assert done[-1] == 100


def test_the_first_steady_iteration_holds_for_times_and_findings(capture: OpenCapture) -> None:
    told = answers(capture, steady_from=4)
    [last] = [each for each in told if isinstance(each, AllChecked)]
    assert last.findings.iterations == 1
    assert isinstance(told[1], Overview)
    assert [len(steps.steady) for steps in told[1].steps] == [1]


def test_what_was_cancelled_says_how_to_read_again(capture: OpenCapture) -> None:
    cancelled = threading.Event()
    cancelled.set()
    assert answers(capture, cancelled=cancelled)[-1] == Stopped("cancelled; R reads again")


def test_what_no_iteration_is_left_for_is_a_sentence(capture: OpenCapture) -> None:
    last = answers(capture, steady_from=9)[-1]
    assert isinstance(last, Stopped)
    assert "9" in last.sentence


def test_notices_on_the_tables_come_with_their_names(tmp_path: Path) -> None:
    ops = text(OP_HEADER, op_lines()) + "0,11,1,2,Cut_off"
    told = answers(csv_capture(tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=ops))
    [last] = [each for each in told if isinstance(each, AllChecked)]
    [notice] = last.notices
    assert isinstance(notice, Noted)
    assert notice.about == "op_summary"
