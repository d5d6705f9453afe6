"""How a table is drawn: the cells of one line, cut to their columns, and the styles that they get."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from prof_tui.widgets.cell_text import fit, found_spans
from prof_tui.widgets.table.layout import GAP, GUTTER, RULE, ColumnsLayout, Slot
from prof_tui.widgets.table.pages import Row
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


def cell_text(row: Row, slot: Slot) -> str:
    """The cell as it came; "" if the row is shorter than the columns."""
    return row.cells[slot.cell_index] if slot.cell_index < len(row.cells) else ""


class Inks:
    """The styles of a table's parts, as its style sheet has them."""

    def __init__(self, table: Widget) -> None:
        self._table = table
        self._inks: dict[str, Style] = {}

    def clear(self) -> None:
        """Forget them: the style sheet, or what the table is in, has changed."""
        self._inks.clear()

    def over(self, part: str) -> Style:
        """What a part lays over the row it is in: only what it sets itself, its colour blended."""
        if (ink := self._inks.get(part)) is None:
            ink = self._inks[part] = self._mix(f"frame-table--{part}")
        return ink

    def _mix(self, name: str) -> Style:
        own = self._table.get_component_rich_style(name, partial=True)
        return own + Style(color=self._table.get_component_rich_style(name).color) if own.color else own

    def row(self, row: Row | None, has_cursor: bool) -> Style:
        """What a row is drawn with; None for one that isn't there yet."""
        style = self._table.get_component_rich_style(f"frame-table--{'cursor-row' if has_cursor else 'row'}")
        if row is None:
            return style + self.over("missing")
        return style + self.over(row.tone) if row.tone else style
