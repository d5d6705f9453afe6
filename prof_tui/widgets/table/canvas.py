"""What a table draws: header, rows, cursor; fed and steered by ``FrameTable``."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from prof_tui.widgets.cell_text import fit, found_spans
from prof_tui.widgets.table.layout import GAP, GUTTER, RULE, ColumnsLayout, ColumnView, Slot, lay_out
from prof_tui.widgets.table.pages import Row, RowPages
from prof_tui.words import NOT_AVAILABLE, cut, glyphs

DrawSlot = Callable[[Slot], Iterable[Segment]]
"""Draws one column of the line, in exactly the slot's width and the gap after it."""


@dataclass(frozen=True)
class CellStyles:
    """Styles that one cell is made of; all but ``plain`` are laid over it."""

    plain: Style
    missing: Style
    found: Style


def line_strip(
    layout: ColumnsLayout, scroll_x: int, width: int, gutter: Segment, rule: Style, draw: DrawSlot
) -> Strip:
    """A line of exactly ``width`` cells; ``gutter`` is one cell, its style fills what is empty."""
    pinned = [gutter, *(segment for slot in layout.pinned if slot.width for segment in draw(slot))]
    if layout.pinned_width > GUTTER:
        pinned.append(Segment(glyphs().vertical, rule))
        pinned.append(Segment(" " * (RULE - 1), gutter.style))
    in_view = layout.in_view(scroll_x, width)
    lead = Segment(" " * (in_view[0].start - scroll_x if in_view else 0), gutter.style)
    scrolled = Strip([lead, *(segment for slot in in_view for segment in draw(slot))])
    scrolled = scrolled.crop_extend(0, max(0, width - layout.pinned_width), gutter.style)
    line = Strip(pinned, layout.pinned_width).crop(0, width)
    return Strip.join([line, scrolled]).simplify()


def draw_cell(
    text: str, slot: Slot, styles: CellStyles, gap: Style, needle: re.Pattern[str] | None
) -> Iterator[Segment]:
    """The cell's text cut to the slot, missing values and matches of ``needle`` marked, and the gap."""
    shown = fit(text, slot.width, slot.column.right, keep_end=slot.column.keep_end)
    style = styles.plain + styles.missing if text == NOT_AVAILABLE else styles.plain
    end = 0
    for start, stop in found_spans(shown, needle) if needle else ():
        yield Segment(shown[end:start], style)
        yield Segment(shown[start:stop], style + styles.found)
        end = stop
    yield Segment(shown[end:], style)
    yield Segment(" " * GAP, gap)


def draw_title(slot: Slot, mark: str, style: Style, gap: Style) -> Iterator[Segment]:
    """The header cell; the sort ``mark`` right behind the title, in the gap if the title needs the width."""
    if not mark:
        yield Segment(fit(slot.column.title, slot.width, slot.column.right), style)
        yield Segment(" " * GAP, gap)
        return
    title = cut(slot.column.title, slot.width) + mark
    if cell_len(title) > slot.width:
        yield Segment(fit(title, slot.width + GAP, slot.column.right), style)
    else:
        yield Segment(fit(title, slot.width, slot.column.right), style)
        yield Segment(" " * GAP, gap)


HEADER_LINES = 1
_STRIPS_KEPT = 512


class TableCanvas(ScrollView, inherit_bindings=False):
    """Lines of a table, drawn one by one; line 0 is the header and doesn't scroll."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "frame-table--header",
        "frame-table--header-cursor",
        "frame-table--row",
        "frame-table--rule",
        "frame-table--cursor-row",
        "frame-table--cursor",
        "frame-table--muted",
        "frame-table--warning",
        "frame-table--missing",
        "frame-table--found",
    }
    DEFAULT_CSS = """
    TableCanvas {
        background: $surface;
        color: $foreground;
        & > .frame-table--header { background: $panel; text-style: bold; }
        & > .frame-table--header-cursor { color: $text-accent; text-style: bold underline; }
        & > .frame-table--rule { color: $foreground 40%; }
        & > .frame-table--cursor-row { background: $foreground 12%; text-style: bold; }
        & > .frame-table--cursor {
            background: $block-cursor-blurred-background;
            text-style: bold underline;
        }
        &:focus > .frame-table--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: $block-cursor-text-style;
        }
        &:nocolor:focus > .frame-table--cursor { text-style: bold reverse; }
        & > .frame-table--muted { color: $foreground 60%; }
        & > .frame-table--warning { color: $text-warning; }
        & > .frame-table--missing { text-style: dim; }
        & > .frame-table--found {
            background: $warning;
            color: $background;
            text-style: bold underline;
        }
    }
    """

    def __init__(
        self,
        *,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._columns: tuple[ColumnView, ...] = ()
        self._places: ColumnsLayout = lay_out((), 0)
        self._pages = RowPages()
        self._row_count = 0
        self._cursor_row = 0
        self._cursor_slot = 0
        """Index into the slots of the layout, not into the columns: pinned ones come first."""
        self._sort: tuple[str | None, bool] = (None, False)
        self._needle: re.Pattern[str] | None = None
        self._row_strips: LRUCache[int, Strip] = LRUCache(_STRIPS_KEPT)
        """Lines of rows that are there and don't have the cursor, as drawn at this width and scroll."""
        self._inks: dict[str, Style] = {}

    @property
    def _viewport(self) -> Size:
        return self.scrollable_content_region.size

    @property
    def _rows_in_view(self) -> int:
        return max(0, self._viewport.height - HEADER_LINES)

    def _slot_at_cursor(self) -> Slot | None:
        slots = self._places.slots
        return slots[self._cursor_slot] if slots else None

    def _is_at_cursor(self, slot: Slot) -> bool:
        at_cursor = self._slot_at_cursor()
        return at_cursor is not None and slot.cell_index == at_cursor.cell_index

    def _lay_out_columns(self) -> None:
        self._places = lay_out(self._columns, self._viewport.width)
        self._measure()

    def _measure(self) -> None:
        """Tell the scroll bars how large the table is, and draw it anew."""
        width = self._places.pinned_width + self._places.scrolled_width
        self.virtual_size = Size(width, self._row_count + HEADER_LINES)
        self._redraw()

    def _redraw(self) -> None:
        self._row_strips.clear()
        self.refresh()

    def _redraw_rows(self, first: int, count: int = 1) -> None:
        """Draw these rows anew, as far as they are in view."""
        for row in range(first, first + count):
            self._row_strips.discard(row)
        top = self.scroll_offset.y
        start, stop = max(first, top), min(first + count, top + self._rows_in_view)
        if start < stop:
            self.refresh(Region(0, start - top + HEADER_LINES, self._viewport.width, stop - start))

    def _redraw_header(self) -> None:
        self.refresh(Region(0, 0, self._viewport.width, HEADER_LINES))

    def _reveal_cursor(self) -> None:
        """Scroll as little as shows the cursor's row, and its column or the start of it."""
        slot, top = self._slot_at_cursor(), self.scroll_offset.y
        left = self.scroll_offset.x
        if slot:
            left = self._places.scroll_to_show(slot, left, self._viewport.width)
        lowest_top = self._cursor_row - max(1, self._rows_in_view) + 1
        top = min(max(top, lowest_top), self._cursor_row)
        if (left, top) != self.scroll_offset:
            self.scroll_to(left, top, animate=False, force=True)

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self._row_strips.clear()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._row_strips.clear()
        self._inks.clear()

    def render_line(self, y: int) -> Strip:
        """The line at ``y`` cells below the top of the widget."""
        if y < HEADER_LINES:
            return self._header_strip()
        row = y - HEADER_LINES + self.scroll_offset.y
        if row >= self._row_count:
            return Strip.blank(self._viewport.width, self.get_component_rich_style("frame-table--row"))
        if (strip := self._row_strips.get(row)) is None:
            strip = self._row_strip(row)
            if row != self._cursor_row and self._pages.row(row):
                self._row_strips[row] = strip
        return strip

    def _header_strip(self) -> Strip:
        plain = self.get_component_rich_style("frame-table--header")
        at_cursor = plain + self._ink("header-cursor")
        sorted_by, descending = self._sort
        arrow = glyphs().descending if descending else glyphs().ascending

        def draw(slot: Slot) -> Iterable[Segment]:
            mark = arrow if slot.column.id == sorted_by else ""
            return draw_title(slot, mark, at_cursor if self._is_at_cursor(slot) else plain, plain)

        return self._strip(" ", plain, draw)

    def _row_strip(self, index: int) -> Strip:
        row, has_cursor = self._pages.row(index), index == self._cursor_row
        style = self._row_style(row, has_cursor)
        at_rest = CellStyles(style, self._ink("missing"), self._ink("found"))
        at_cursor = replace(at_rest, plain=style + self.get_component_rich_style("frame-table--cursor"))
        leftmost = self._places.slots[0].cell_index if self._places.slots else None

        def draw(slot: Slot) -> Iterable[Segment]:
            text = cell_text(row, slot) if row else glyphs().busy if slot.cell_index == leftmost else ""
            under_cursor = has_cursor and self._is_at_cursor(slot)
            return draw_cell(text, slot, at_cursor if under_cursor else at_rest, style, self._needle)

        return self._strip(glyphs().cursor if has_cursor else " ", style, draw)

    def _strip(self, gutter: str, style: Style, draw: DrawSlot) -> Strip:
        rule = style + self._ink("rule")
        width = self._viewport.width
        return line_strip(self._places, self.scroll_offset.x, width, Segment(gutter, style), rule, draw)

    def _row_style(self, row: Row | None, has_cursor: bool) -> Style:
        style = self.get_component_rich_style(f"frame-table--{'cursor-row' if has_cursor else 'row'}")
        if row is None:
            return style + self._ink("missing")
        return style + self._ink(row.tone) if row.tone else style

    def _ink(self, part: str) -> Style:
        """What a part lays over the row it is in: only what it sets itself, its colour blended."""
        if (ink := self._inks.get(part)) is None:
            ink = self._inks[part] = self._mix_ink(f"frame-table--{part}")
        return ink

    def _mix_ink(self, name: str) -> Style:
        own = self.get_component_rich_style(name, partial=True)
        return own + Style(color=self.get_component_rich_style(name).color) if own.color else own


def cell_text(row: Row, slot: Slot) -> str:
    """The cell as it came; "" if the row is shorter than the columns."""
    return row.cells[slot.cell_index] if slot.cell_index < len(row.cells) else ""
