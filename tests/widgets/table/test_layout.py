from hypothesis import given
from hypothesis import strategies as st

from prof_tui.widgets.table.layout import ColumnView, lay_out


def column(name: str, width: int, pinned: bool = False) -> ColumnView:
    return ColumnView(name, name, width, right=False, pinned=pinned)


def test_pinned_columns_come_first_and_keep_their_cells() -> None:
    layout = lay_out([column("a", 5), column("b", 3, pinned=True), column("c", 4)], 80)
    assert [(slot.column.id, slot.cell_index, slot.start, slot.width) for slot in layout.slots] == [
        ("b", 1, 1, 3),
        ("a", 0, 0, 5),
        ("c", 2, 6, 4),
    ]
    assert (layout.pinned_width, layout.scrolled_width) == (7, 11)


def test_the_widest_pinned_column_is_narrowed_first() -> None:
    layout = lay_out([column("a", 9, pinned=True), column("b", 90, pinned=True), column("c", 4)], 80)
    assert [slot.width for slot in layout.pinned] == [9, 34]
    assert layout.pinned_width == 48


def test_pinned_columns_vanish_where_there_is_no_room() -> None:
    layout = lay_out([column("a", 9, pinned=True), column("c", 4)], 1)
    assert [slot.width for slot in layout.pinned] == [0]
    assert layout.pinned_width == 1


def test_columns_that_are_all_pinned_scroll() -> None:
    layout = lay_out([column("a", 90, pinned=True), column("b", 9, pinned=True)], 80)
    assert layout.pinned == ()
    assert layout.scrolled_width == 101


@given(st.lists(st.tuples(st.integers(-3, 200), st.booleans()), max_size=8), st.integers(0, 300))
def test_pinned_columns_take_at_most_sixty_per_cent(columns: list[tuple[int, bool]], width: int) -> None:
    layout = lay_out([column(str(i), cells, pinned) for i, (cells, pinned) in enumerate(columns)], width)
    assert layout.pinned_width <= max(1, width * 60 // 100)


def test_a_column_is_scrolled_into_view_whole() -> None:
    layout = lay_out([column("a", 9), column("b", 9), column("c", 9)], 21)
    a, b, c = layout.slots
    assert layout.scroll_to_show(b, 0, 21) == 0
    assert layout.scroll_to_show(c, 0, 21) == 10
    assert layout.scroll_to_show(a, 10, 21) == 0


def test_a_column_wider_than_the_room_is_shown_from_its_start() -> None:
    layout = lay_out([column("a", 9), column("b", 90)], 21)
    assert layout.scroll_to_show(layout.slots[1], 0, 21) == 10


def test_columns_are_found_by_the_cell_they_are_drawn_at() -> None:
    layout = lay_out([column("p", 3, pinned=True), column("a", 5), column("b", 5)], 80)
    found = [layout.slot_at(x, 6) for x in (0, 1, 4, 5, 7, 12, 13)]
    assert [slot.column.id if slot else None for slot in found] == [None, "p", "p", None, "b", "b", None]


def test_a_column_partly_in_view_is_narrowed_to_what_is_seen() -> None:
    layout = lay_out([column("a", 5), column("b", 5), column("c", 5)], 13)
    assert [(slot.column.id, slot.start, slot.width) for slot in layout.in_view(2, 13)] == [
        ("a", 2, 3),
        ("b", 6, 5),
        ("c", 12, 2),
    ]


def test_a_gap_alone_is_no_column_in_view() -> None:
    layout = lay_out([column("a", 5), column("b", 5)], 7)
    assert [slot.column.id for slot in layout.in_view(5, 7)] == ["b"]
