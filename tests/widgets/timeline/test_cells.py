from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from prof_tui import words
from prof_tui.widgets.timeline.cells import CellText, Look, Piece, cover_cells, row_cells, short_name
from prof_tui.widgets.timeline.columns import LaneColumns
from prof_tui.widgets.timeline.model import Interval
from prof_tui.widgets.timeline.zoom import TimeGrid
from tests.helpers.lane_frames import KINDS, Op, frame

GRID = TimeGrid(0, 10, 10)
NO_OVERLAY = " " * 10

ops = st.lists(
    st.builds(
        Op,
        start_ns=st.integers(-20, 130),
        key=st.just(0),
        duration_ns=st.integers(-4, 40),
        kind=st.integers(0, 2),
        name=st.just("算子"),
    ),
    min_size=1,
    max_size=30,
)
grids = st.builds(
    TimeGrid,
    begin_ns=st.integers(-15, 60),
    cell_ns=st.integers(1, 12),
    columns=st.integers(1, 30),
)


@pytest.fixture(autouse=True)
def unicode_terminal() -> Iterator[None]:
    words.use_ascii(False)
    yield
    words.use_ascii(not words.terminal_speaks_unicode())


def row_pieces(given_ops: Sequence[Op], overlay: str = NO_OVERLAY, selected: Op | None = None) -> list[Piece]:
    columns = LaneColumns(frame([given_ops]))
    chosen = selected and Interval(*selected[:2], selected.kind, selected.name)
    text = CellText(columns, KINDS, row_cells(columns, [0], GRID)[0], GRID, overlay)
    return list(text.pieces(chosen))


def cover_pieces(columns: LaneColumns, grid: TimeGrid) -> list[Piece]:
    (cells,) = cover_cells([columns.cover([0, 1])], grid)
    return list(CellText(columns, KINDS, cells, grid, " " * grid.columns).pieces(None, Look.PLAIN))


def row_text(given_ops: Sequence[Op], overlay: str = NO_OVERLAY) -> str:
    return "".join(piece.text for piece in row_pieces(given_ops, overlay))


def rows_of(columns: LaneColumns) -> list[list[Interval]]:
    return [[columns.interval(number) for number in range(row.first, row.stop)] for row in columns.rows]


def occupied(intervals: Sequence[Interval], grid: TimeGrid) -> set[int]:
    return {column for each in intervals for column in grid.extent(each.start_ns, each.end_ns)}


def cells(pieces: Sequence[Piece]) -> str:
    """One character per cell, a wide one twice."""
    return "".join(character * cell_len(character) for piece in pieces for character in piece.text)


def test_a_wide_op_says_letter_and_name_on_a_line_to_its_end() -> None:
    assert row_text([Op(10, 80)]) == " C─MatMul "
    assert row_text([Op(0, 100)]) == "C─MatMul──"
    assert row_text([Op(0, 50)]) == "C─Ma…     "


def test_a_path_is_drawn_by_its_last_part() -> None:
    assert row_text([Op(0, 100, name="Default/network/Add")]) == "C─Add─────"
    assert short_name("a/b/") == "b"
    assert short_name("/") == "/"


def test_an_op_cut_by_the_left_edge_keeps_its_label() -> None:
    assert row_text([Op(-500, 560)]) == "C─Mat…    "


def test_a_narrow_op_is_its_letter_and_is_filled_only_where_it_covers_the_cell() -> None:
    pieces = row_pieces([Op(0, 10), Op(23, 4, kind=1)])
    assert [(piece.text, piece.look, piece.kind) for piece in pieces] == [
        ("C", Look.BAR, 0),
        (" ", Look.IDLE, 0),
        ("P", Look.NARROW, 1),
        (" " * 7, Look.IDLE, 0),
    ]


def test_zero_length_and_invalid_ops_are_never_blank() -> None:
    assert row_text([Op(5, 0), Op(30, -7), Op(99, 0, kind=2)]) == "C  ‼     H"


def test_a_shared_cell_is_as_high_as_it_is_busy_and_full_only_without_a_gap() -> None:
    assert row_text([Op(0, 2), Op(3, 3), Op(10, 5), Op(15, 5), Op(20, 5), Op(25, 4)]) == "▄█▇       "
    assert row_text([Op(1, 0), Op(2, 0)]) == "▁         "


def test_a_shared_cell_has_the_colour_of_the_kind_with_the_most_busy_time() -> None:
    pieces = row_pieces([Op(0, 1, kind=2), Op(1, 1, kind=2), Op(2, 6, kind=1), Op(10, 2, kind=1), Op(12, 40)])
    assert [(piece.text, piece.kind) for piece in pieces[:3]] == [("▆", 1), ("█", 0), ("C─M…", 0)]


def test_a_shared_cell_without_busy_time_has_the_colour_of_its_first_op() -> None:
    pieces = row_pieces([Op(1, 0, kind=2), Op(2, 0), Op(80, 20)])
    assert (pieces[0].text, pieces[0].kind) == ("▁", 2)


def test_the_busy_time_of_a_shared_border_cell_is_clipped_to_it() -> None:
    assert row_text([Op(0, 14), Op(16, 34)]) == "C▆C──     "


def test_the_selected_op_is_drawn_over_its_whole_extent() -> None:
    given_ops = [Op(0, 5), Op(5, 30, kind=1), Op(35, 3)]
    pieces = row_pieces(given_ops, selected=given_ops[1])
    assert [(piece.text, piece.look) for piece in pieces] == [("P─M…", Look.SELECTED), (" " * 6, Look.IDLE)]


def test_a_selected_op_out_of_sight_changes_nothing() -> None:
    given_ops = [Op(-50, 5), Op(5, 30), Op(500, 3)]
    whole = row_text(given_ops)
    for op in (given_ops[0], given_ops[2]):
        assert "".join(piece.text for piece in row_pieces(given_ops, selected=op)) == whole


def test_the_overlay_is_drawn_through_idle_cells_only() -> None:
    assert row_text([Op(0, 20)], overlay="│   │     ") == "C─  │     "


def test_a_cover_is_as_high_as_any_of_its_lanes_is_busy() -> None:
    columns = LaneColumns(frame([[Op(0, 5), Op(0, 3), Op(40, 0)], [Op(3, 4), Op(10, 10)]]))
    pieces = cover_pieces(columns, GRID)
    assert "".join(piece.text for piece in pieces) == "▅█  ▁     "
    assert {piece.look for piece in pieces} == {Look.PLAIN, Look.IDLE}


@settings(max_examples=60, deadline=None)
@given(ops, grids)
def test_a_cell_is_blank_exactly_where_no_op_is(given_ops: list[Op], grid: TimeGrid) -> None:
    columns = LaneColumns(frame([given_ops]))
    of_row = row_cells(columns, range(len(columns.rows)), grid)
    for number, members in enumerate(rows_of(columns)):
        text = cells(list(CellText(columns, KINDS, of_row[number], grid, " " * grid.columns).pieces()))
        assert len(text) == grid.columns
        blank = {column for column, character in enumerate(text) if character == " "}
        assert set(range(grid.columns)) - blank == occupied(members, grid)


@settings(max_examples=60, deadline=None)
@given(ops, ops, grids)
def test_a_cell_of_a_cover_is_blank_exactly_where_no_op_is(
    some: list[Op], others: list[Op], grid: TimeGrid
) -> None:
    columns = LaneColumns(frame([some, others]))
    text = cells(cover_pieces(columns, grid))
    blank = {column for column, character in enumerate(text) if character == " "}
    assert set(range(grid.columns)) - blank == occupied(
        [each for row in rows_of(columns) for each in row], grid
    )


@settings(max_examples=60, deadline=None)
@given(ops, ops, grids)
def test_the_blocks_of_a_cover_are_the_exact_share_of_the_union(
    some: list[Op], others: list[Op], grid: TimeGrid
) -> None:
    columns = LaneColumns(frame([some, others]))
    busy = {at for op in (*some, *others) for at in range(op.start_ns, op.end_ns)}
    pieces = cover_pieces(columns, grid)
    for column, character in enumerate("".join(piece.text for piece in pieces)):
        begin_ns = grid.time_ns(column)
        height = len(busy & set(range(begin_ns, begin_ns + grid.cell_ns))) * 8 // grid.cell_ns
        assert character in (" ", words.glyphs().blocks[max(0, height - 1)])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 6), st.integers(0, 2)), min_size=1, max_size=20))
def test_a_shared_block_is_the_exact_busy_share_rounded_down(spans: list[tuple[int, int, int]]) -> None:
    given_ops, now = [], 0
    for gap_ns, length_ns, kind in spans:
        given_ops.append(Op(now + gap_ns, length_ns, kind=kind))
        now += gap_ns + length_ns
    busy = {at: op.kind for op in given_ops for at in range(op.start_ns, op.end_ns)}
    column = 0
    for piece in row_pieces(given_ops):
        for offset, character in enumerate(piece.text if piece.look is Look.SHARED else ""):
            begin_ns = 10 * (column + offset)
            kinds = [busy[at] for at in range(begin_ns, begin_ns + 10) if at in busy]
            assert character == words.glyphs().blocks[max(0, len(kinds) * 8 // 10 - 1)]
            assert kinds.count(piece.kind) == max(map(kinds.count, kinds))
        column += len(piece.text)
