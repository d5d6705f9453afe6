"""The text above the lanes: the axis of time, and the marks."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from prof_tui import words
from prof_tui.widgets.cell_text import cut
from prof_tui.widgets.timeline.model import Mark
from prof_tui.widgets.timeline.window import TimeGrid


def round_step_ns(at_least_ns: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … nanoseconds that is ``at_least_ns`` or more."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= at_least_ns:
                return digit * power
        power *= 10


def axis_text(grid: TimeGrid, zero_ns: int) -> str:
    """Ticks at round distances from ``zero_ns``, each with its microseconds where they fit."""
    begin_ns = grid.begin_ns - zero_ns
    widest = max(
        len(words.microseconds(at_ns)) for at_ns in (begin_ns, begin_ns + grid.columns * grid.cell_ns)
    )
    step_ns = round_step_ns(grid.cell_ns * (widest + 3))
    cells = [" "] * grid.columns
    first_tick_ns = -(-begin_ns // step_ns) * step_ns
    for tick_ns in range(first_tick_ns, begin_ns + grid.columns * grid.cell_ns, step_ns):
        column = (tick_ns - begin_ns) // grid.cell_ns
        label = words.glyphs().tick + words.microseconds(tick_ns)
        shown = label if column + len(label) <= grid.columns else label[0]
        cells[column : column + len(shown)] = shown
    return "".join(cells)


def marks_text(marks: Sequence[Mark], grid: TimeGrid) -> str:
    """A tick for every mark, its title right of it, or left of it where there is more room, or cut.

    Marks that fall into one cell share its tick, their titles are joined.
    """
    titles: dict[int, str] = {}
    for mark in sorted(marks, key=lambda mark: mark.at_ns):
        column = grid.column(mark.at_ns)
        if column is not None:
            joined = [titles[column], mark.title] if column in titles else [mark.title]
            titles[column] = f" {words.glyphs().separator} ".join(joined)
    text, columns = "", [*titles, grid.columns]
    for number, (column, title) in enumerate(titles.items()):
        left_room = max(0, column - cell_len(text.rstrip()) - (text.strip() != ""))
        right_room = columns[number + 1] - column - 1
        text += " " * (column - cell_len(text))
        width = cell_len(words.printable(title))
        if right_room < width and left_room > right_room:
            shown = cut(title, left_room)
            text = set_cell_size(text, column - cell_len(shown)) + shown + words.glyphs().tick
        else:
            text += words.glyphs().tick + cut(title, right_room)
    return set_cell_size(text, grid.columns)
