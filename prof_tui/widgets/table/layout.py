"""Where each column of a table stands: pinned ones at the left edge, the others scrolled behind them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

GUTTER = 1
"""The cell at the far left that marks the cursor row."""
GAP = 1
"""A blank after each column; the mark of a sorted column stands there."""
RULE = 2
"""The vertical rule after the pinned columns, and a blank."""
_PINNED_SHARE = 60
"""Per cent of the width that gutter, pinned columns and rule may take together."""


@dataclass(frozen=True)
class ColumnView:
    """How a table shows a column; ``width`` in terminal cells, titles are cut to it."""

    id: str
    title: str
    width: int
    right: bool
    pinned: bool = False
    keep_end: bool = False
    """Whether a long cell is cut at its start, as suits paths."""


@dataclass(frozen=True)
class Slot:
    """A column's place.

    ``cell_index`` is its position in a row's cells. ``start`` counts terminal cells from the left edge
    for a pinned column, else from the start of the scrolled part. ``width`` is without the gap.
    """

    column: ColumnView
    cell_index: int
    start: int
    width: int
    pinned: bool

    @property
    def stop(self) -> int:
        return self.start + self.width + GAP


@dataclass(frozen=True)
class ColumnsLayout:
    """``slots`` from left to right, pinned ones first; widths in terminal cells."""

    slots: tuple[Slot, ...]
    pinned_width: int
    """Everything that doesn't scroll: gutter, pinned columns, rule."""
    scrolled_width: int

    @property
    def pinned(self) -> tuple[Slot, ...]:
        return tuple(slot for slot in self.slots if slot.pinned)

    def in_view(self, scroll_x: int, viewport_width: int) -> list[Slot]:
        """The scrolled columns in view; one that is partly out of it is narrowed to the rest.

        So its cells are cut with a mark, and half a number is never taken for a whole one.
        """
        end = scroll_x + viewport_width - self.pinned_width
        slots = []
        for slot in self.slots:
            left, right = max(slot.start, scroll_x), min(slot.start + slot.width, end)
            if not slot.pinned and left < right:
                whole = right - left == slot.width
                slots.append(slot if whole else replace(slot, start=left, width=right - left))
        return slots

    def slot_at(self, x: int, scroll_x: int) -> Slot | None:
        """The column drawn at ``x`` cells from the left edge; None where there is none."""
        behind_pinned = x >= self.pinned_width
        place = x - self.pinned_width + scroll_x if behind_pinned else x
        for slot in self.slots:
            if slot.pinned is not behind_pinned and slot.start <= place < slot.stop:
                return slot
        return None

    def scroll_to_show(self, slot: Slot, scroll_x: int, viewport_width: int) -> int:
        """The scroll nearest to ``scroll_x`` that shows all of ``slot``, or its start if it is too wide."""
        room = viewport_width - self.pinned_width
        if slot.pinned:
            return scroll_x
        if slot.start < scroll_x or slot.stop - slot.start > room:
            return slot.start
        return max(scroll_x, slot.stop - room)


def lay_out(columns: Sequence[ColumnView], viewport_width: int) -> ColumnsLayout:
    """Places for ``columns``; pinned ones are narrowed so that the others stay reachable.

    With nothing to scroll behind them, pinned columns are laid out as the others are.
    """
    numbered = [(index, _at_least_one_cell(column)) for index, column in enumerate(columns)]
    pinned = [(index, column) for index, column in numbered if column.pinned]
    scrolled = [(index, column) for index, column in numbered if not column.pinned]
    if not scrolled:
        pinned, scrolled = [], pinned
    widths = _narrow(
        [column.width for _, column in pinned], viewport_width * _PINNED_SHARE // 100 - GUTTER - RULE
    )
    fixed = _place(pinned, widths, GUTTER, pinned=True)
    moving = _place(scrolled, [column.width for _, column in scrolled], 0, pinned=False)
    pinned_width = fixed[-1].stop + RULE if fixed and sum(widths) else GUTTER
    return ColumnsLayout((*fixed, *moving), pinned_width, moving[-1].stop if moving else 0)


def _at_least_one_cell(column: ColumnView) -> ColumnView:
    return column if column.width >= 1 else replace(column, width=1)


def _narrow(widths: list[int], room: int) -> list[int]:
    """``widths`` with the widest cut down until they and their gaps fit; all 0 if there is no room at all."""
    room -= len(widths) * GAP
    if room < len(widths):
        return [0] * len(widths)
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return widths


def _place(
    columns: list[tuple[int, ColumnView]], widths: list[int], start: int, *, pinned: bool
) -> list[Slot]:
    slots: list[Slot] = []
    for (index, column), width in zip(columns, widths, strict=True):
        slots.append(Slot(column, index, start, width, pinned))
        start = slots[-1].stop if width else start
    return slots
