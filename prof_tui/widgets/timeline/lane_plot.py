"""The curve of a counter in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prof_tui import words
from prof_tui.widgets.timeline.cells import Look, Piece


def plot_pieces(
    levels: Sequence[tuple[float, float] | None], overlay: str, selected: int | None = None
) -> Iterator[Piece]:
    """A block per cell, as high as its highest value between the lowest and the highest in sight.

    A value that never changes is half high; where there is none the overlay shows.  ``selected`` is the
    column of the chosen sample.
    """
    heights = _heights(levels)
    blocks = words.glyphs().blocks
    for column, height in enumerate(heights):
        if column == selected:
            yield Piece(words.glyphs().bullet if height is None else blocks[height], Look.SELECTED, 0)
        elif height is None:
            yield Piece(overlay[column], Look.IDLE, 0)
        else:
            yield Piece(blocks[height], Look.PLAIN, 0)


def _heights(levels: Sequence[tuple[float, float] | None]) -> list[int | None]:
    known = [level for level in levels if level]
    if not known:
        return [None] * len(levels)
    lowest, highest = min(low for low, _ in known), max(high for _, high in known)
    steps = len(words.glyphs().blocks)
    span = highest - lowest
    if not 0 < span < float("inf"):
        return [steps // 2 if level else None for level in levels]
    return [min(steps - 1, int((level[1] - lowest) / span * steps)) if level else None for level in levels]


def value_text(value: float | None, unit: str) -> str:
    """A sample's value with its unit: whole numbers in full, others with six digits."""
    if value is None:
        return words.NOT_AVAILABLE
    text = f"{value:,.0f}" if value == value // 1 else f"{value:,.6g}"
    return f"{text} {words.printable(unit)}" if unit else text
