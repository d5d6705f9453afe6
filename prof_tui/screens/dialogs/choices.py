"""Lists to choose from: values of a column, a column to sort by, columns to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from prof_tui.screens.dialogs.prompt import Dialog
from prof_tui.widgets.keys import key
from prof_tui.widgets.marked_list import MarkedList
from prof_tui.words import _, printable

_CLOSE = key("choice", "escape", "dismiss(None)", _("Close"), _("Close without doing anything"), show=True)

_CSS = """
    {name} {{ align: center middle; background: $background 0%; }}
    {name} > Vertical {{
        width: auto; min-width: 30; max-width: 96%; height: auto; max-height: 90%;
        background: $surface; border: solid $primary; padding: 0 1;
    }}
    {name} Static {{ height: auto; width: auto; max-width: 100%; }}
    {name} OptionList {{
        height: auto; max-height: 70vh; width: auto; min-width: 28; max-width: 100%; padding: 0;
    }}
    {name} OptionList, {name} OptionList:focus {{ border: none; }}
"""


class ValuesScreen(Dialog[tuple[str, ...] | None]):
    """Which values to keep; an empty answer is all of them."""

    DEFAULT_CSS = _CSS.format(name="ValuesScreen")
    BINDINGS: ClassVar[list[BindingType]] = [
        _CLOSE,
        key(
            "values",
            "enter",
            "take",
            _("Show these"),
            _("Show only rows with these values"),
            show=True,
            priority=True,
        ),
        key("values", "a", "all", _("All or none"), _("Mark all, or none"), show=True),
    ]

    def __init__(self, title: str, lines: Sequence[tuple[str, str]], chosen: Sequence[str]) -> None:
        """``lines``: value and text of each."""
        super().__init__()
        self._list_title, self._lines, self._chosen = title, lines, chosen

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._list_title, markup=False)
            yield MarkedList(self._lines, self._chosen)
            yield Static(_("Enter shows the marked or this one; Space marks, a all or none"), markup=False)

    def action_take(self) -> None:
        values = self.query_one(MarkedList)
        at = values.highlighted
        marked = values.marked or (() if at is None else (values.keys[at],))
        self.dismiss(() if len(marked) == len(values.keys) else marked)

    def action_all(self) -> None:
        self.query_one(MarkedList).mark_all()


class OneScreen(Dialog[int | None]):
    """Which one of a list: ends with its place."""

    DEFAULT_CSS = _CSS.format(name="OneScreen")
    BINDINGS: ClassVar[list[BindingType]] = [_CLOSE]

    def __init__(self, title: str, names: Sequence[str], *, hint: str, current: int | None = None) -> None:
        super().__init__()
        self._list_title, self._names, self._hint, self._current = title, names, hint, current

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._list_title, markup=False)
            yield OptionList(*(Option(Text(printable(name))) for name in self._names))
            yield Static(self._hint, markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = self._current or 0

    @on(OptionList.OptionSelected)
    def _take(self, message: OptionList.OptionSelected) -> None:
        self.dismiss(message.option_index)


class ColumnsScreen(Dialog[tuple[str, ...] | None]):
    """Which columns to show, in which order; an empty answer is the pane's own choice."""

    DEFAULT_CSS = _CSS.format(name="ColumnsScreen")
    BINDINGS: ClassVar[list[BindingType]] = [
        _CLOSE,
        key("columns", "enter", "take", _("Show these"), _("Show these columns"), show=True, priority=True),
        key(
            "columns",
            "K,shift+up",
            "shift(-1)",
            _("Up"),
            _("Move the column to the left"),
            name="up",
            show=True,
        ),
        key(
            "columns",
            "J,shift+down",
            "shift(1)",
            _("Down"),
            _("Move the column to the right"),
            name="down",
            show=True,
        ),
        key("columns", "d", "own_choice", _("Default"), _("The pane's own columns"), show=True),
    ]

    def __init__(self, title: str, headers: Sequence[str], shown: Sequence[str]) -> None:
        super().__init__()
        self._list_title, self._shown = title, shown
        self._order = [*shown, *(header for header in headers if header not in shown)]

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._list_title, markup=False)
            yield MarkedList([(header, header) for header in self._order], self._shown)
            yield Static(_("Space marks, J and K move, d the pane's own, Enter shows these"), markup=False)

    def action_take(self) -> None:
        self.dismiss(self.query_one(MarkedList).marked)

    def action_own_choice(self) -> None:
        self.dismiss(())

    def action_shift(self, direction: int) -> None:
        self.query_one(MarkedList).move(direction)
