"""The colours of the kinds, and the legend that explains them."""

from collections.abc import Iterable, Sequence

from rich.style import Style
from rich.text import Text

from prof_tui import words
from prof_tui.widgets.timeline.cells import Look, Piece
from prof_tui.widgets.timeline.model import Kind

_TAKES_LIGHT_TEXT = {"black", "red", "blue", "magenta", "bright_black"}
"""Of the 16 colours, those on which black can't be read."""

CHOSEN = Style(reverse=True, bold=True)
"""The op or gap under the cursor: told by reversal, not by colour."""


class LaneStyles:
    """What each look of each kind is drawn with, over ``base``."""

    def __init__(self, kinds: Sequence[Kind], base: Style) -> None:
        colours = [kind.colour.removeprefix("ansi_") for kind in kinds]
        self.base = base
        self.chosen = base + CHOSEN
        self.marked = base + Style(reverse=True)
        self.idle = base + Style(dim=True)
        self._kinds = kinds
        self._foreground = [base + Style(color=colour) for colour in colours]
        self._filled = [
            base + Style(color="bright_white" if colour in _TAKES_LIGHT_TEXT else "black", bgcolor=colour)
            for colour in colours
        ]

    def style(self, piece: Piece) -> Style:
        """The style of a piece of a row."""
        if piece.look is Look.SHARED:
            return self._foreground[piece.kind]
        if piece.look is Look.IDLE:
            return self.idle
        if piece.look is Look.SELECTED:
            return self.chosen
        if piece.look is Look.PLAIN:
            return self.base
        return self._filled[piece.kind] if piece.look is Look.BAR else self._foreground[piece.kind]

    def title(self, is_chosen: bool, is_header: bool) -> Style:
        """The style of a line's title; ``is_chosen`` when the cursor is on the line and on nothing in it."""
        if is_chosen:
            return self.chosen
        return self.base + Style(bold=True) if is_header else self.base

    def legend(self, kinds_present: Iterable[int]) -> Text:
        """``M AI_CORE  V AI_VECTOR_CORE`` with each letter as it is drawn in a lane."""
        entries = (
            Text.assemble(
                (self._kinds[number].letter, self._filled[number]),
                " ",
                words.printable(self._kinds[number].title),
            )
            for number in kinds_present
        )
        return Text("  ").join(entries)
