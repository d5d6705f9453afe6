from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from prof_tui import words
from prof_tui.widgets.lane_cells import Look, Piece, RowText, axis_text, marks_text, round_step_ns
from prof_tui.widgets.lane_index import Row
from prof_tui.widgets.lane_model import Interval, Kind, Mark, stack_rows
from prof_tui.widgets.time_window import TimeGrid

KINDS = (Kind("AI_CORE", "C", "blue"), Kind("AI_CPU", "P", "ansi_red"), Kind("HCCL", "H", "yellow"))


@pytest.fixture(autouse=True)
def unicode_terminal() -> Iterator[None]:
    words.use_ascii(False)
    yield
    words.use_ascii(not words.terminal_speaks_unicode())


def op(start_ns: int, duration_ns: int, key: int = 0, kind: int = 0, name: str = "MatMul") -> Interval:
    return Interval(start_ns, duration_ns, key, kind, name)


def row_pieces(
    intervals: Sequence[Interval],
    selected: int | None = None,
    overlay: Mapping[int, str] = MappingProxyType({}),
) -> list[Piece]:
    row = Row(0, range(len(intervals)), intervals)
    grid = TimeGrid(0, 10, 10)
    return list(RowText(row, intervals, KINDS, grid, overlay).pieces(selected))


def row_text(intervals: Sequence[Interval], overlay: Mapping[int, str] = MappingProxyType({})) -> str:
    return "".join(piece.text for piece in row_pieces(intervals, overlay=overlay))


def test_a_wide_op_says_letter_and_name_on_a_line_to_its_end() -> None:
    assert row_text([op(10, 80)]) == " C─MatMul "
    assert row_text([op(0, 100)]) == "C─MatMul──"
    assert row_text([op(0, 50)]) == "C─Ma…     "


def test_an_op_cut_by_the_left_edge_keeps_its_label() -> None:
    assert row_text([op(-500, 560)]) == "C─Mat…    "


def test_a_narrow_op_is_its_letter_and_is_filled_only_where_it_covers_the_cell() -> None:
    pieces = row_pieces([op(0, 10), op(23, 4, kind=1)])
    assert [(piece.text, piece.look, piece.kind) for piece in pieces] == [
        ("C", Look.BAR, 0),
        (" ", Look.IDLE, 0),
        ("P", Look.NARROW, 1),
        (" " * 7, Look.IDLE, 0),
    ]


def test_zero_length_and_invalid_ops_are_never_blank() -> None:
    assert row_text([op(5, 0), op(30, -7), op(99, 0, kind=2)]) == "C  ‼     H"


def test_a_shared_cell_is_as_high_as_it_is_busy_and_full_only_without_a_gap() -> None:
    assert row_text([op(0, 2), op(3, 3), op(10, 5), op(15, 5), op(20, 5), op(25, 4)]) == "▄█▇       "
    assert row_text([op(1, 0), op(2, 0)]) == "▁         "


def test_a_shared_cell_has_the_colour_of_the_kind_with_the_most_busy_time() -> None:
    pieces = row_pieces([op(0, 1, kind=2), op(1, 1, kind=2), op(2, 6, kind=1), op(10, 2, kind=1), op(12, 40)])
    assert [(piece.text, piece.kind) for piece in pieces[:3]] == [("▆", 1), ("█", 0), ("C─M…", 0)]


def test_the_busy_time_of_a_shared_border_cell_is_clipped_to_it() -> None:
    assert row_text([op(0, 14), op(16, 34)]) == "C▆C──     "


def test_the_selected_op_is_drawn_over_its_whole_extent() -> None:
    intervals = [op(0, 5), op(5, 30, kind=1), op(35, 3)]
    pieces = row_pieces(intervals, selected=1)
    assert [(piece.text, piece.look) for piece in pieces] == [("P─M…", Look.SELECTED), (" " * 6, Look.IDLE)]


def test_marks_are_drawn_through_idle_cells_only() -> None:
    assert row_text([op(0, 20)], overlay={0: "│", 4: "│"}) == "C─  │     "


@given(
    st.lists(st.tuples(st.integers(-20, 130), st.integers(-4, 40), st.integers(0, 2)), max_size=30),
    st.integers(1, 30),
    st.integers(1, 12),
    st.integers(-15, 60),
)
def test_a_cell_is_blank_exactly_where_no_op_is(
    spans: list[tuple[int, int, int]], columns: int, cell_ns: int, begin_ns: int
) -> None:
    ordered = sorted((op(start, length, kind=kind, name="算子") for start, length, kind in spans))
    ordered.sort(key=lambda interval: (interval.start_ns, -interval.duration_ns))
    top = [interval for interval, row in zip(ordered, stack_rows(ordered), strict=True) if row == 0]
    grid = TimeGrid(begin_ns, cell_ns, columns)
    text = "".join(
        piece.text for piece in RowText(Row(0, range(len(top)), top), top, KINDS, grid, {}).pieces()
    )
    assert cell_len(text) == columns
    occupied = {column for each in top for column in grid.extent(each.start_ns, each.end_ns)}
    cells = "".join(character * cell_len(character) for character in text)
    assert {column for column, character in enumerate(cells) if character != " "} == occupied


def test_steps_are_one_two_or_five() -> None:
    assert [round_step_ns(at_least) for at_least in (1, 2, 3, 6, 19, 21, 501)] == [1, 2, 5, 10, 20, 50, 1000]


def test_the_axis_has_round_ticks_from_the_begin_of_the_window() -> None:
    assert axis_text(TimeGrid(1000, 100, 30), 1000) == "┬0.000    ┬1.000    ┬2.000    "
    assert axis_text(TimeGrid(900, 100, 25), 1000) == " ┬0.000    ┬1.000    ┬   "


def test_titles_of_marks_give_way_but_their_ticks_stay() -> None:
    grid = TimeGrid(0, 10, 30)
    marks = [Mark(0, "FP Start"), Mark(300, "Iteration End")]
    assert marks_text(marks, grid) == "┬FP Start       Iteration End┬"
    assert marks_text([Mark(20, "FP Start"), Mark(50, "BP End")], grid) == "  ┬F…┬BP End" + " " * 18
    assert marks_text([Mark(20, "FP Start"), Mark(30, "BP End")], grid) == "F…┬┬BP End" + " " * 20
    assert marks_text([Mark(21, "A"), Mark(22, "B")], grid) == "  ┬A · B" + " " * 22
    assert marks_text([Mark(-1, "A"), Mark(301, "B")], grid) == " " * 30


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 6)), min_size=1, max_size=20))
def test_a_shared_block_is_the_exact_busy_share_rounded_down(gap_and_length: list[tuple[int, int]]) -> None:
    intervals, now = [], 0
    for gap_ns, length_ns in gap_and_length:
        intervals.append(op(now + gap_ns, length_ns))
        now += gap_ns + length_ns
    busy = {at for each in intervals for at in range(each.start_ns, each.end_ns)}
    column = 0
    for piece in row_pieces(intervals):
        for offset, character in enumerate(piece.text if piece.look is Look.SHARED else ""):
            begin_ns = 10 * (column + offset)
            share = len(busy & set(range(begin_ns, begin_ns + 10))) * 8 // 10
            assert character == words.glyphs().blocks[max(0, share - 1)]
        column += len(piece.text)
