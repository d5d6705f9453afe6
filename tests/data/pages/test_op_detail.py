from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.pages.iteration import timed_ops
from prof_tui.data.pages.op import OpDetail, op_detail
from prof_tui.data.query.query import Query
from tests.helpers.captures import csv_capture
from tests.helpers.small_capture import OP_HEADER, at, text


def three_ops(tmp_path: Path, start: str) -> OpenCapture:
    """Two ops 10 us apart, and between them in the file one that starts at ``start``."""
    starts = (at(3), start, at(23))
    lines = [f"0,11,{i},2,Add_{i},Add,AI_CORE,{at},10.000,N/A" for i, at in enumerate(starts)]
    return csv_capture(tmp_path, op_summary=text(OP_HEADER, lines))


def page(capture: OpenCapture, row: int) -> OpDetail:
    return op_detail(capture, capture.table("op_summary"), row)


def test_an_op_without_a_time_has_no_neighbours_and_is_none(tmp_path: Path) -> None:
    capture = three_ops(tmp_path, "0.000")
    lost = page(capture, 1)
    assert (lost.start_ns, lost.before, lost.after) == (None, None, None)
    assert lost.why_unplaced == (
        "What ran before and after it is unknown: its start 0.000 is no time of this run."
    )
    first = page(capture, 0)
    assert (first.before, first.after and first.after.name, first.why_unplaced) == (None, "Add_2", "")
    assert first.after is not None
    assert first.after.gap_ns == 10_000


def test_starts_rounded_by_a_spreadsheet_make_no_neighbours(tmp_path: Path) -> None:
    capture = three_ops(tmp_path, "1.79E+15")
    assert page(capture, 1).why_unplaced == (
        "What ran before and after it is unknown: its start 1.79E+15 is no time of this run."
    )


def test_an_op_without_a_time_is_in_no_timeline_and_counted(tmp_path: Path) -> None:
    capture = three_ops(tmp_path, "0.000")
    table = capture.table("op_summary")
    ops, untimed = timed_ops(table, capture.view(table, Query()).rows)
    assert ([op.name for op in ops], untimed) == (["Add_0", "Add_2"], 1)
