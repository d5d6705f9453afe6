"""One line of a table as a strip: cells cut first, then styled, in as few segments as possible."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from prof_tui.widgets.cell_text import cut, fit, found_spans
from prof_tui.widgets.table.layout import GAP, GUTTER, RULE, ColumnsLayout, Slot
from prof_tui.words import NOT_AVAILABLE, glyphs

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
