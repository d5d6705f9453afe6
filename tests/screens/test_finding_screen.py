from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from prof_tui.data.findings.finding import EvidenceRow, Finding
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import OneOf, Query, Sort, Where
from prof_tui.panes.overview.findings_list import Noted
from prof_tui.panes.pages.finding import entry_page
from prof_tui.panes.table.questions import left_out, shown_by
from tests.helpers.captures import csv_capture
from tests.helpers.driven_app import Driven, opened
from tests.helpers.small_capture import OP_HEADER, STEP_HEADER, op_lines, step_lines, text


async def enter(user: Driven, beginning: str) -> None:
    """Go into the line of the overview whose text behind the numbers begins so."""
    at = next(i for i, line in enumerate(user.verdicts) if beginning in line)
    user.overview.lines.highlighted = at
    await user.press("enter")


async def test_the_page_says_rule_source_rows_and_what_to_try(capture: OpenCapture) -> None:
    async with opened(capture, size=(120, 50)) as user:
        await enter(user, "Data Aug Bound")
        assert user.screen_name == "FindingView"
        assert user.title.parts[0] == "finding data_bound"
        assert "high: 800.000 us an iteration, 53.3 % of the period" in user.words
        for heading in ("Rule", "Source", "What to try", "What could make it wrong", "Evidence"):
            assert heading in user.words
        assert "--fail-on data_bound" in user.words


async def test_enter_opens_the_pane_with_just_those_rows_and_escape_comes_back(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await enter(user, "AI CPU ops")
        await user.press("enter")
        assert user.pane_name == "op_summary"
        assert user.chips.startswith(
            " Task Type: AI_CPU ×   Task Duration(us) > 20 ×   Iteration ID >= 3, Model ID 11 ×"
        )
        assert user.column("Op Name") == ["TopK_3", "TopK_4"]
        await user.press("x")
        assert user.column("Op Name") == ["TopK_1", "TopK_2", "TopK_3", "TopK_4"]
        await user.press("escape")
        assert user.screen_name == "FindingView"
        await user.press("escape")
        assert user.pane_name == "overview"
        assert "AI CPU ops" in user.verdicts[user.overview.lines.highlighted or 0]


async def test_the_iterations_that_count_are_a_filter_like_others(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await enter(user, "AI CPU ops")
        await user.press("enter", "enter")
        assert user.screen_name == "RowView"
        await user.press("escape")
        assert "Iteration ID >= 3, Model ID 11 ×" in user.chips
        assert "2 matched / 14 total" in user.status
        await user.press("t")
        assert "AI_CPU 2 rows" in user.words
        await user.press("escape", "X")
        assert (user.chips, user.said) == ("", [])
        assert "14 matched / 14 total" in user.status


async def test_evidence_that_is_iterations_opens_the_step_trace(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await enter(user, "Data Aug Bound")
        await user.press("enter")
        assert user.pane_name == "step_trace"
        assert user.column("Iteration ID") == ["4", "3"]
        assert user.chip == "device 0, Model ID 11"


async def test_a_pane_that_is_open_already_shows_the_evidence_too(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("4", "1")
        await enter(user, "AI CPU ops")
        await user.press("enter")
        assert user.column("Task Type") == ["AI_CPU"] * 2


async def test_n_and_p_go_through_the_lines(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await user.press("enter")
        assert user.title.parts[1].startswith("1 of ")
        await user.press("n")
        assert user.title.parts[1].startswith("2 of ")
        await user.press("p", "p")
        assert user.title.parts[1].startswith("1 of ")


async def test_what_was_not_checked_says_why_and_how(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await enter(user, "not checked, wait_share")
        assert user.title.parts[0] == "not checked: wait_share"
        assert "Not checked: op_summary has no column Task Wait Time." in user.words
        assert "How to get it" in user.words
        await user.press("enter")
        assert user.screen_name == "FindingView"


async def test_what_is_missing_says_what_to_add(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await enter(user, "missing api_statistic")
        assert user.title.parts[0] == "missing: api_statistic"
        assert "Not in this export: api_statistic." in user.words
        assert '"runtime_api":"on"' in user.words
        assert user.words.index("How to get it") < user.words.index("Why")


async def test_a_notice_says_of_which_table_it_is(tmp_path: Path) -> None:
    ops = text(OP_HEADER, op_lines()) + "0,11,1,2,Cut_off"
    async with opened(
        csv_capture(tmp_path, step_trace=text(STEP_HEADER, step_lines()), op_summary=ops)
    ) as user:
        [notice] = [each.text for each in user.overview.entries if isinstance(each, Noted)]
        await enter(user, "! ")
        assert user.title.parts[0] == "notice on op_summary"
        assert user.words.count(notice) == 1


async def test_y_copies_the_page(capture: OpenCapture, start: Path) -> None:
    async with opened(capture) as user:
        await enter(user, "Data Aug Bound")
        await user.press("y")
        [copied] = user.app.clipboard.split("\n", 1)[:1]
        assert copied.startswith("Data Aug Bound takes ")


def test_a_query_takes_the_spelling_of_the_table_and_leaves_out_what_it_lacks(capture: OpenCapture) -> None:
    table = capture.table("op_summary")
    asked = Query(
        filters=(Where("task duration", ">", "20"), OneOf("OP State", ("dynamic",))),
        sort=Sort("Duration(us)", True),
    )
    shown = shown_by(table, asked, asked.scope)
    assert shown.filters == (Where("Task Duration(us)", ">", "20"),)
    assert shown.sort is None
    assert left_out(table, asked) == (
        "op_summary has no column for OP State: dynamic, which is left out. "
        "op_summary has no column for the sort by Duration(us), which is left out."
    )
    assert left_out(table, shown) == ""


async def test_escape_gives_scope_filters_and_row_back_that_the_evidence_replaced(
    capture: OpenCapture,
) -> None:
    async with opened(capture) as user:
        await user.press("4")
        await user.go_to(row=3, column="Task Type")
        name = user.cursor["Op Name"]
        await user.press("1")
        await enter(user, "Data Aug Bound")
        await user.press("enter")
        assert user.chip == "device 0, Model ID 11"
        await user.press("escape")
        assert (user.screen_name, user.chip) == ("FindingView", "")
        await user.press("escape")
        assert (user.pane_name, user.chip) == ("overview", "")
        await enter(user, "AI CPU ops")
        await user.press("enter")
        assert user.chips
        await user.press("escape", "escape", "4")
        assert (user.chips, user.chip, user.cursor["Op Name"]) == ("", "", name)
        assert user.pane.frame.cursor_column_id == "Task Type"


async def test_a_pane_that_only_evidence_opened_is_its_own_again(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await enter(user, "AI CPU ops")
        await user.press("enter", "escape", "escape", "4")
        assert user.chips == ""
        assert "14 matched / 14 total" in user.status


@pytest.mark.parametrize("opening", [(), ("2", "1")])
async def test_the_cursor_goes_to_the_column_that_the_evidence_is_sorted_by(
    capture: OpenCapture, opening: tuple[str, ...]
) -> None:
    async with opened(capture, size=(40, 24)) as user:
        await user.press(*opening)
        await enter(user, "Data Aug Bound")
        await user.press("enter")
        assert user.pane.frame.cursor_row == 0
        assert user.pane.frame.cursor_column_id == "Data Aug Bound(us)"
        assert "Data Aug Bound" in user.text
        assert user.cursor["Data Aug Bound(us)"] in user.text


async def test_a_page_says_which_of_its_kind_it_is(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        number = sum(isinstance(each, Finding) for each in user.overview.entries)
        assert f"{number} findings" in user.words
        await user.press("enter")
        assert user.title.parts[1] == f"1 of {number} findings"
        for _press in range(number):
            await user.press("n")
        assert user.title.parts[0].startswith("not checked: ")
        assert user.title.parts[1].startswith("1 of ")
        await user.press(*["n"] * len(user.overview.entries))
        assert user.title.parts == ("the run and its times",)


def test_long_labels_are_cut_so_that_what_to_try_stays_in_sight() -> None:
    name = "scope/" * 1_000 + "MatMul_1"
    rows = (EvidenceRow(name, 3, 1_000, "note " * 1_000),) * 2
    finding = Finding(
        "top_ops", f"Slow: {name}", 1_000, "iteration", 0.1, 1.0, "us", "R", "S", "Try.", "C", rows
    )
    console = Console(width=80, file=StringIO())
    page = entry_page([finding], 0, 80)
    with console.capture() as shown:
        console.print(page.draw())
    lines = shown.get().splitlines()
    assert any(line.strip() == "What to try" for line in lines[:24])
    assert sum("MatMul_1" in line for line in lines) == 3
    assert name in page.copied


async def look_at_evidence(user: Driven) -> None:
    """Go to the iterations that the finding on data augmentation speaks of."""
    await enter(user, "Data Aug Bound")
    await user.press("enter")
    assert (user.pane_name, user.chip) == ("step_trace", "device 0, Model ID 11")
    assert user.column("Iteration ID") == ["4", "3"]


async def test_a_number_key_gives_scope_and_rows_back_that_the_evidence_replaced(
    capture: OpenCapture,
) -> None:
    async with opened(capture) as user:
        await user.press("2")
        before = user.chips, user.column("Iteration ID")
        await user.press("1")
        await look_at_evidence(user)
        await user.press("4")
        assert (user.pane_name, user.chip, user.chips) == ("op_summary", "", "")
        await user.press("2")
        assert (user.chip, (user.chips, user.column("Iteration ID"))) == ("", before)


async def test_a_number_key_gives_filters_back_also_from_a_page_above_the_evidence(
    capture: OpenCapture,
) -> None:
    async with opened(capture, pane="op_summary") as user:
        await user.press("f")
        await user.enter_text("Task Type = AI_CORE")
        own = user.chips
        await user.press("1")
        await enter(user, "AI CPU ops")
        await user.press("enter", "enter", "2")
        assert user.pane_name == "step_trace"
        await user.press("4")
        assert user.chips == own


async def test_back_from_there_leads_to_the_evidence_as_it_was_and_then_to_what_was_before(
    capture: OpenCapture,
) -> None:
    async with opened(capture) as user:
        await look_at_evidence(user)
        await user.press("x")
        looked_at = user.chips, user.column("Iteration ID")
        await user.press("2", "4", "escape")
        assert (user.pane_name, user.chip) == ("step_trace", "device 0, Model ID 11")
        assert (user.chips, user.column("Iteration ID")) == looked_at
        await user.press("escape")
        assert (user.screen_name, user.chip) == ("FindingView", "")
        await user.press("escape", "2")
        assert (user.chip, user.column("Iteration ID")) == ("", ["1", "2", "3", "4"])


async def test_what_was_changed_between_two_looks_at_the_evidence_is_given_back(
    capture: OpenCapture,
) -> None:
    async with opened(capture) as user:
        await look_at_evidence(user)
        await user.press("4", "2")
        await user.go_to(column="Iteration ID")
        await user.press("o")
        assert user.column("Iteration ID") == ["4", "3", "2", "1"]
        await user.press("escape", "escape")
        assert user.column("Iteration ID") == ["4", "3"]
        await user.press("escape", "escape", "2")
        assert user.column("Iteration ID") == ["4", "3", "2", "1"]


async def test_an_iteration_that_was_entered_from_the_evidence_holds(capture: OpenCapture) -> None:
    async with opened(capture) as user:
        await look_at_evidence(user)
        await user.press("enter", "4")
        assert (user.pane_name, user.chip) == ("op_summary", "device 0, Model ID 11, iteration 4")
        await user.press("0", "2")
        assert (user.chip, user.column("Iteration ID")) == ("", ["1", "2", "3", "4"])
