"""Sums over the order of time against interval arithmetic done one by one."""

from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prof_tui.data.iterations.step_trace import StepTrace
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run import ops_in_time
from prof_tui.data.run.ops import Ops
from prof_tui.data.run.ops_in_time import OpsInTime, sum_in_time
from prof_tui.data.spans.span import complement, length, union
from prof_tui.data.tables.known_columns import column_for
from prof_tui.data.tables.stores import MemoryStore, TableSource
from prof_tui.data.tables.table import Table
from tests.helpers.judged_run import BEGIN_US, op, run_capture

HEADERS = ("Op Name", "Task Type", "Task Start Time(us)", "Task Duration(us)")


def in_time(*ops: tuple[int, int, bool]) -> OpsInTime:
    """Of one device without iterations; (start, length, communicates) in us."""
    rows = [["a", "COMMUNICATION" if talks else "AI_CORE", str(start), str(us)] for start, us, talks in ops]
    table = Table("op_summary", [TableSource("f", MemoryStore([column_for(h) for h in HEADERS], rows))])
    capture = OpenCapture(Path())
    capture.__dict__["_read_steps"] = StepTrace()
    [found] = sum_in_time(Ops(capture, table, ()), ())
    return found


def test_communication_beside_computing_is_overlapped() -> None:
    found = in_time((0, 10, False), (5, 20, True), (40, 10, True))
    assert (found.busy_ns, found.computing_ns, found.communication_ns) == (35_000, 10_000, 30_000)
    assert (found.not_overlapped_ns, found.idle_ns, found.span_ns) == (25_000, 15_000, 50_000)


@pytest.mark.parametrize("slice_rows", [1, 2, 3])
def test_a_gap_has_the_ops_on_both_sides(slice_rows: int) -> None:
    """The op before is the one that ends where the gap begins, not the one that began last."""
    with mock.patch.object(ops_in_time, "SLICE_ROWS", slice_rows):
        [gap] = in_time((0, 30, False), (5, 5, False), (50, 5, False)).gaps
    assert (gap.row_before, gap.row_after, gap.length_ns, gap.iteration) == (0, 2, 20_000, None)


def test_rows_are_put_in_order(tmp_path: Path) -> None:
    capture = run_capture(tmp_path, [op(at, 10, f"Mul_{at}") for at in (300, 100, 200)], None)
    [found] = sum_in_time(Ops(capture, capture.table("op_summary"), ()), ())
    assert [(gap.begin_ns // 1000 - BEGIN_US, gap.row_before, gap.row_after) for gap in found.gaps] == [
        (110, 1, 2),
        (210, 2, 0),
    ]
    assert found.first_rows.to_list() == [1]


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 15), st.booleans()), min_size=1, max_size=12)


@settings(deadline=None, max_examples=80)
@given(SPANS, st.sampled_from([1, 2, 5, 500_000]))
def test_sums_are_what_intervals_give(ops: list[tuple[int, int, bool]], slice_rows: int) -> None:
    with mock.patch.object(ops_in_time, "SLICE_ROWS", slice_rows):
        found = in_time(*ops)
    begin, end = min(start for start, _us, _t in ops), max(start + us for start, us, _t in ops)

    def joined(*kinds: bool) -> list[tuple[int, int]]:
        return union(((start, start + us) for start, us, talks in ops if talks in kinds), begin, end)

    assert found.span_ns == 1000 * (end - begin)
    assert found.busy_ns == 1000 * length(joined(True, False))
    assert found.computing_ns == 1000 * length(joined(False))
    assert found.communication_ns == 1000 * length(joined(True))
    gaps = complement(joined(True, False), begin, end)
    assert found.idle_ns == 1000 * length(gaps)
    widest = sorted((b - a for a, b in gaps), reverse=True)[:5]
    assert [gap.length_ns for gap in found.gaps] == [1000 * width for width in widest]
