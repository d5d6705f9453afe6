from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.pilot import Pilot
from textual.strip import Strip

from prof_tui.widgets.table.table import ColumnView, FrameTable, Row
from prof_tui.words import use_ascii

COLUMNS = [
    ColumnView("device", "Device_id", 9, right=True, pinned=True),
    ColumnView("name", "Op Name", 12, right=False, pinned=True),
    ColumnView("type", "OP Type", 10, right=False),
    ColumnView("duration", "Task Duration(us)", 17, right=True),
    ColumnView("shapes", "Input Shapes", 30, right=False),
    ColumnView("context", "Context ID", 10, right=True),
]
NAMES = [
    "卷积_特征提取_0",
    "ﾊﾝｶｸ_1",
    "e\u0301mbedding_2",
    "emoji👍🏽_3",
    "gradients/" * 46,
    "",
    "Cast[/x]",
    "a\x1bb\nc",
]


def row(index: int) -> Row:
    name = NAMES[index] if index < len(NAMES) else f"Op_{index}"
    return Row(("0", name, "Conv2D", f"{index}.500", "N/A", "7"))


class TableApp(App[None]):
    def __init__(self, supplying: bool = True) -> None:
        super().__init__()
        self.table = FrameTable()
        self.told: list[Message] = []
        self.supplying = supplying

    def compose(self) -> ComposeResult:
        yield self.table

    def on_mount(self) -> None:
        self.table.styles.scrollbar_size_vertical = self.table.styles.scrollbar_size_horizontal = 0
        self.table.set_columns(COLUMNS)
        self.table.focus()

    def on_frame_table_rows_wanted(self, wanted: FrameTable.RowsWanted) -> None:
        if self.supplying:
            rows = [row(index) for index in range(wanted.first, wanted.first + wanted.count)]
            wanted.table.supply(wanted.generation, wanted.first, rows)

    def lines(self) -> list[str]:
        return [self.table.render_line(y).text for y in range(self.table.size.height)]

    def heard(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.told if type(message) is kind]

    def wanted(self) -> list[tuple[int, int, int]]:
        asked = (message for message in self.told if isinstance(message, FrameTable.RowsWanted))
        return [(message.first, message.count, message.generation) for message in asked]

    def cursor(self) -> tuple[int, str | None]:
        return self.table.cursor_row, self.table.cursor_column_id

    def row_at_cursor(self) -> Row | None:
        return self.table._pages.row(self.table.cursor_row)


@asynccontextmanager
async def shown(
    row_count: int = 1000, size: tuple[int, int] = (80, 12), supplying: bool = True
) -> AsyncIterator[tuple[TableApp, Pilot[None]]]:
    app = TableApp(supplying)

    def hear(message: Message) -> None:
        if isinstance(message, FrameTable.FromTable) and message not in app.told:
            app.told.append(message)

    async with app.run_test(size=size, message_hook=hear) as pilot:
        app.table.set_view(row_count, generation=1)
        await pilot.pause()
        yield app, pilot


@pytest.fixture(autouse=True)
def _unicode() -> Iterator[None]:
    use_ascii(False)
    yield
    use_ascii(False)


async def test_header_and_rows_as_text() -> None:
    async with shown(size=(60, 5)) as (app, _):
        assert app.lines() == [
            " Device_id Op Name      │ OP Type    Task Duration(us) Inpu…",
            "▶        0 卷积_特征提… │ Conv2D                 0.500 N/A  ",
            "         0 ﾊﾝｶｸ_1       │ Conv2D                 1.500 N/A  ",
            "         0 e\u0301mbedding_2  │ Conv2D                 2.500 N/A  ",
            "         0 emoji👍🏽_3    │ Conv2D                 3.500 N/A  ",
        ]


async def test_every_line_is_as_wide_as_the_widget_and_durations_start_in_one_column() -> None:
    async with shown() as (app, _):
        lines = app.lines()
        assert {cell_len(line) for line in lines} == {80}
        assert {cell_len(line[: line.index(".500")]) for line in lines[1:]} == {50}


async def test_a_capture_cannot_speak_markup_or_escape_codes() -> None:
    async with shown() as (app, _):
        assert app.lines()[7].startswith("         0 Cast[/x] ")
        assert app.lines()[8].startswith("         0 a\\x1bb⏎c ")


async def test_an_ascii_terminal_gets_ascii() -> None:
    use_ascii(True)
    async with shown(supplying=False) as (app, _):
        app.table.set_sort("duration", descending=True)
        app.table.supply(1, 0, [row(index) for index in range(5)])
        text = "".join(app.lines())
        assert text.isascii()
        assert {"|", ">", "o", "~", "?"} <= set(text)
        assert "Task Duration(us)v" in text


@pytest.mark.parametrize(
    ("keys", "row_then", "column_then"),
    [
        ("down j j up k", 1, "device"),
        ("right l l h left", 0, "name"),
        ("G", 999, "device"),
        ("G g", 0, "device"),
        ("end", 0, "context"),
        ("end home", 0, "device"),
        ("pagedown", 11, "device"),
        ("pagedown pagedown pageup", 11, "device"),
        ("up left", 0, "device"),
        ("G end down right", 999, "context"),
    ],
)
async def test_keys_move_the_cursor(keys: str, row_then: int, column_then: str) -> None:
    async with shown() as (app, pilot):
        await pilot.press(*keys.split())
        assert app.cursor() == (row_then, column_then)


def test_letters_of_timelines_and_panes_are_left_alone() -> None:
    bound = {
        key
        for binding in FrameTable.BINDINGS
        if isinstance(binding, Binding)
        for key in binding.key.split(",")
    }
    assert bound.isdisjoint("wsadoOutf=xX/nNcryYe")


def test_every_key_is_declared_fully() -> None:
    for binding in FrameTable.BINDINGS:
        assert isinstance(binding, Binding)
        assert binding.id
        assert binding.description
        assert binding.tooltip


async def test_a_page_down_keeps_the_cursor_on_its_line_of_the_screen() -> None:
    async with shown() as (app, pilot):
        await pilot.press("down", "down", "pagedown")
        assert app.table.visible_range == (11, 11)
        assert app.cursor() == (13, "device")


async def test_the_last_row_is_the_last_line() -> None:
    async with shown() as (app, pilot):
        await pilot.press("G")
        await pilot.pause()
        assert app.lines()[-1].startswith("▶        0 Op_999 ")
        assert app.table.visible_range == (989, 11)


async def test_pages_are_asked_for_once_with_a_page_around() -> None:
    async with shown(supplying=False) as (app, pilot):
        await pilot.press("down", "down", "pagedown")
        assert app.wanted() == [(0, 128, 1)]
        app.table.move_cursor(500)
        await pilot.pause()
        assert app.wanted() == [(0, 128, 1), (384, 192, 1)]


async def test_rows_that_are_not_there_yet_are_placeholders() -> None:
    async with shown(supplying=False) as (app, pilot):
        assert app.lines()[1] == f"▶{'◌':>9}{' ' * 14}│{' ' * 55}"
        assert app.row_at_cursor() is None
        app.table.supply(1, 0, [row(index) for index in range(128)])
        await pilot.pause()
        assert "卷积" in app.lines()[1]


async def test_an_answer_to_an_older_view_is_dropped() -> None:
    async with shown(supplying=False) as (app, _):
        app.table.set_view(1000, generation=2)
        app.table.supply(1, 0, [row(0)])
        assert app.row_at_cursor() is None
        app.table.supply(2, 0, [row(0)])
        assert app.row_at_cursor() == row(0)


async def test_a_new_view_shows_the_row_it_is_given() -> None:
    async with shown() as (app, pilot):
        app.table.set_view(1000, cursor_row=700, generation=2)
        await pilot.pause()
        first, count = app.table.visible_range
        assert first <= 700 < first + count
        assert app.table.cursor_row == 700
        assert app.wanted()[-1] == (576, 192, 2)


async def test_a_smaller_view_leaves_no_blank_lines_above_its_end() -> None:
    async with shown() as (app, pilot):
        app.table.set_view(1000, cursor_row=90, generation=2)
        await pilot.pause()
        app.table.scroll_to(y=90, animate=False)
        app.table.set_view(95, cursor_row=90, generation=3)
        await pilot.pause()
        assert app.table.visible_range == (84, 11)


async def test_growing_keeps_cursor_and_rows() -> None:
    async with shown(row_count=100) as (app, pilot):
        await pilot.press("G", "end")
        app.table.grow(5_000_000)
        await pilot.pause()
        assert app.cursor() == (99, "context")
        assert app.row_at_cursor() == row(99)
        await pilot.press("G")
        assert app.table.cursor_row == 4_999_999


async def test_an_empty_table_has_its_header_and_no_row() -> None:
    async with shown(row_count=0) as (app, pilot):
        await pilot.press("down", "G", "enter", "pagedown", "end")
        assert app.lines()[0].startswith(" Device_id Op Name ")
        assert set("".join(app.lines()[1:])) == {" "}
        assert app.heard(FrameTable.RowEntered) == []
        assert app.row_at_cursor() is None


async def test_no_columns_at_all_draw_nothing() -> None:
    async with shown() as (app, pilot):
        app.table.set_columns([])
        await pilot.press("right", "down", "end", "less_than_sign")
        assert app.cursor() == (1, None)


async def test_the_whole_row_is_there_however_narrow_it_is_drawn() -> None:
    async with shown() as (app, _):
        app.table.move_cursor(4, "name")
        assert app.row_at_cursor() == row(4)


async def test_a_column_out_of_sight_is_scrolled_to_with_the_pinned_ones_in_place() -> None:
    async with shown() as (app, pilot):
        await pilot.press("end")
        await pilot.pause()
        assert (
            app.lines()[0]
            == " Device_id Op Name      │ Task Durat… Input Shapes                   Context ID "
        )
        assert app.lines()[2].startswith("         0 ﾊﾝｶｸ_1       │ ")


async def test_half_a_number_is_never_taken_for_a_whole_one() -> None:
    async with shown(size=(50, 5)) as (app, pilot):
        app.table.supply(1, 0, [Row(("0", "Op", "Add", "123456789012.500", "", ""))])
        await pilot.pause()
        assert app.lines()[1] == "▶        0 Op           │ Add        123456789012…"
        app.table.scroll_to(x=16, animate=False)
        await pilot.pause()
        assert app.lines()[1].startswith("▶        0 Op           │ 12345678901… ")


async def test_the_cursor_keeps_its_column_when_columns_change() -> None:
    async with shown() as (app, _):
        app.table.move_cursor(3, "duration")
        app.table.set_columns([COLUMNS[5], COLUMNS[3], COLUMNS[0]])
        assert app.table.cursor_column_id == "duration"
        app.table.set_columns([COLUMNS[5], COLUMNS[0]])
        assert app.table.cursor_column_id == "context"


async def test_a_column_gets_wider_and_narrower_and_keeps_that() -> None:
    async with shown() as (app, pilot):
        app.table.move_cursor(0, "type")
        await pilot.press("greater_than_sign")
        assert "│ OP Type        Task Duration(us) " in app.lines()[0]
        app.table.set_columns(COLUMNS)
        assert "│ OP Type        Task Duration(us) " in app.lines()[0]
        await pilot.press("less_than_sign", "less_than_sign", "less_than_sign")
        assert "│ O… Task Duration(us) " in app.lines()[0]
        await pilot.press("less_than_sign")
        assert "│ … Task Duration(us) " in app.lines()[0]


async def test_the_sorted_column_is_marked_without_cutting_its_title() -> None:
    async with shown() as (app, _):
        app.table.set_sort("duration", descending=True)
        assert "Task Duration(us)▼Input Shapes" in app.lines()[0]
        app.table.set_sort("type", descending=False)
        assert "│ OP Type▲   Task Duration(us) " in app.lines()[0]
        app.table.set_sort(None, descending=False)
        assert "▲" not in app.lines()[0]


async def test_the_text_looked_for_is_marked_in_cells() -> None:
    async with shown() as (app, _):
        app.table.highlight = "OP_"
        marked = app.table.get_component_rich_style("frame-table--found").bgcolor
        app.table.move_cursor(20)
        found = [
            segment.text
            for segment in app.table.render_line(5)
            if segment.style and segment.style.bgcolor == marked
        ]
        assert found == ["Op_"]


async def test_a_missing_value_is_dim() -> None:
    async with shown() as (app, _):
        dim = [
            segment.text.strip()
            for segment in app.table.render_line(2)
            if segment.style and segment.style.dim
        ]
        assert dim == ["N/A"]


async def test_the_tone_of_a_row_is_in_all_its_cells() -> None:
    async with shown(supplying=False) as (app, _):
        app.table.supply(1, 0, [row(0), Row(row(1).cells, "warning"), row(2)])
        warning = app.table.get_component_rich_style("frame-table--warning").color
        rule = app.table.get_component_rich_style("frame-table--rule").color
        assert {segment.style.color for segment in app.table.render_line(2) if segment.style} == {
            warning,
            rule,
        }


async def test_enter_tells_the_row_and_the_column() -> None:
    async with shown() as (app, pilot):
        await pilot.press("down", "right", "enter")
        assert app.heard(FrameTable.RowEntered) == [FrameTable.RowEntered(app.table, 1, "name")]


async def test_cursor_moves_are_told_once_each() -> None:
    async with shown() as (app, pilot):
        await pilot.press("down", "right", "up", "up")
        assert app.heard(FrameTable.CursorMoved) == [
            FrameTable.CursorMoved(app.table, 0, "device"),
            FrameTable.CursorMoved(app.table, 1, "device"),
            FrameTable.CursorMoved(app.table, 1, "name"),
            FrameTable.CursorMoved(app.table, 0, "name"),
        ]


def test_only_the_last_of_waiting_cursor_moves_of_one_table_counts() -> None:
    here, there = FrameTable(), FrameTable()
    move = FrameTable.CursorMoved(here, 1, "name")
    assert FrameTable.CursorMoved(here, 2, "name").can_replace(move)
    assert not FrameTable.CursorMoved(there, 2, "name").can_replace(move)
    assert not FrameTable.CursorMoved(here, 2, "name").can_replace(FrameTable.RowEntered(here, 1, "name"))


async def test_a_click_moves_and_a_double_click_enters() -> None:
    async with shown() as (app, pilot):
        await pilot.click(FrameTable, offset=(30, 4))
        assert app.cursor() == (3, "type")
        assert app.heard(FrameTable.RowEntered) == []
        await pilot.double_click(FrameTable, offset=(30, 5))
        assert app.heard(FrameTable.RowEntered) == [FrameTable.RowEntered(app.table, 4, "type")]


async def test_a_click_on_a_title_tells_the_column_and_leaves_the_cursor() -> None:
    async with shown() as (app, pilot):
        await pilot.click(FrameTable, offset=(40, 0))
        assert app.heard(FrameTable.HeaderClicked) == [FrameTable.HeaderClicked(app.table, "duration")]
        assert app.cursor() == (0, "device")


async def test_a_click_below_the_last_row_does_nothing() -> None:
    async with shown(row_count=2) as (app, pilot):
        await pilot.click(FrameTable, offset=(30, 8))
        assert app.cursor() == (0, "device")


async def test_scrolling_leaves_the_cursor_where_it_is() -> None:
    async with shown() as (app, pilot):
        app.table.scroll_down(animate=False)
        await pilot.pause()
        assert app.table.visible_range == (1, 11)
        assert app.cursor() == (0, "device")
        assert "▶" not in "".join(app.lines())


async def test_any_size_of_terminal_keeps_the_cursor() -> None:
    async with shown() as (app, pilot):
        app.table.move_cursor(500, "duration")
        for size in ((20, 5), (1, 1), (2, 2), (5, 3), (300, 100), (80, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert {cell_len(line) for line in app.lines()} == {size[0]}
            assert app.cursor() == (500, "duration")
        first, count = app.table.visible_range
        assert first <= 500 < first + count


async def test_at_twenty_cells_a_column_behind_the_pinned_ones_is_seen() -> None:
    async with shown(size=(20, 5)) as (app, pilot):
        app.table.move_cursor(0, "type")
        await pilot.pause()
        assert app.lines()[:2] == [" De… Op … │ OP Type ", "▶  0 卷…  │ Conv2D  "]


def lines_drawn(table: FrameTable, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    drawn: list[int] = []
    draw = table.render_line

    def noted(y: int) -> Strip:
        drawn.append(y)
        return draw(y)

    monkeypatch.setattr(table, "render_line", noted)
    return drawn


async def test_a_cursor_step_draws_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown() as (app, pilot):
        drawn = lines_drawn(app.table, monkeypatch)
        await pilot.press("down")
        await pilot.pause()
        assert sorted(drawn) == [1, 2]


async def test_a_step_sideways_draws_the_header_and_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown() as (app, pilot):
        drawn = lines_drawn(app.table, monkeypatch)
        await pilot.press("right")
        await pilot.pause()
        assert sorted(drawn) == [0, 1]


@pytest.mark.parametrize("focused", [True, False])
async def test_without_colour_the_cursor_differs_by_attributes(
    focused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with shown() as (app, pilot):
        if not focused:
            app.set_focus(None)
            await pilot.pause()
        cursor = app.table.get_component_rich_style("frame-table--cursor", partial=True)
        current = app.table.get_component_rich_style("frame-table--cursor-row", partial=True)
        assert current.bold
        assert cursor.reverse if focused else cursor.underline
