"""What asks the user for one thing: a line of text, one or several of a list, columns, a new file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from prof_tui.data.writing.new_files import check_new, folder_for_files, free_name
from prof_tui.errors import ProfTuiError
from prof_tui.widgets.keys import key
from prof_tui.words import _, printable


class MarkedList(OptionList):
    """Lines with keys; Space or a click marks one or takes its mark off."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("list", "space", "mark", _("Mark"), _("Mark this line, or take its mark off"), show=True),
    ]

    def __init__(self, lines: Sequence[tuple[str, str]], marked: Iterable[str]) -> None:
        """``lines``: name and text of each."""
        self._entries = list(lines)
        self._chosen = set(marked)
        super().__init__(*self._all_options())

    def _all_options(self) -> list[Option]:
        return [Option(self._prompt(name, text)) for name, text in self._entries]

    def _prompt(self, name: str, text: str) -> Text:
        return Text(f"[{'x' if name in self._chosen else ' '}] {printable(text)}")

    @property
    def marked(self) -> tuple[str, ...]:
        """Keys of the marked lines, in the order of the list."""
        return tuple(name for name, _text in self._entries if name in self._chosen)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, in order."""
        return tuple(name for name, _text in self._entries)

    def action_mark(self) -> None:
        if self.highlighted is not None:
            self._chosen ^= {self._entries[self.highlighted][0]}
            self._draw(self.highlighted)

    @on(OptionList.OptionSelected)
    def _mark_clicked(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        self.action_mark()

    def mark_all(self) -> None:
        """Mark all lines, or none where any is marked."""
        self._chosen = set() if self._chosen else set(self.keys)
        for place in range(len(self._entries)):
            self._draw(place)

    def move(self, direction: int) -> None:
        """Exchange the cursor's line with the one before (-1) or behind (1) it."""
        at = self.highlighted
        if at is None or not 0 <= at + direction < len(self._entries):
            return
        self._entries[at], self._entries[at + direction] = self._entries[at + direction], self._entries[at]
        self._draw(at)
        self._draw(at + direction)
        self.highlighted = at + direction

    def _draw(self, place: int) -> None:
        self.replace_option_prompt_at_index(place, self._prompt(*self._entries[place]))


Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """A screen that ends with an answer, or with None when it is closed.

    Keys that come in one read with the one that answers it find it still there: they do nothing.
    """

    answered = False

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        if self.answered:
            return AwaitComplete()
        self.answered = True
        return super().dismiss(result)


def ask(asking: Widget, dialog: Dialog[Answer | None], then: Callable[[Answer], object]) -> None:
    """Put a dialog up at once, so that what is typed next meets it; ``then`` gets the answer, if any."""

    def answered(answer: Answer | None) -> None:
        if answer is not None:
            then(answer)

    asking.app.push_screen(dialog, answered)


class PromptScreen(Dialog[str | None]):
    """Asks for a text; ``accept`` may refuse it with a ProfTuiError, whose sentence is then shown."""

    DEFAULT_CSS = """
    PromptScreen { align: left bottom; background: $background 0%; }
    PromptScreen > Vertical { height: auto; max-height: 8; background: $surface; border-top: solid $primary; }
    PromptScreen Static { height: auto; padding: 0 1; }
    PromptScreen .prompt--error { color: $text-error; display: none; }
    PromptScreen Input, PromptScreen Input:focus { border: none; height: 1; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key("prompt", "escape", "dismiss(None)", _("Close"), _("Close without doing anything"), show=True)
    ]

    def __init__(
        self,
        title: str,
        *,
        hint: str = "",
        value: str = "",
        replace: bool = False,
        error: str = "",
        accept: Callable[[str], None],
    ) -> None:
        """``replace``: the first key typed takes the place of ``value``; ``error``: why it was refused."""
        super().__init__()
        self._prompt_title, self._hint, self._value = title, hint, value
        self._replace, self._error, self._accept = replace, error, accept

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._prompt_title, markup=False)
            yield Input(self._value, placeholder=self._hint, id="prompt-text", select_on_focus=self._replace)
            yield Static(classes="prompt--error", markup=False)

    def on_mount(self) -> None:
        if self._error:
            self._refuse(self._error)

    def _refuse(self, why: str) -> None:
        line = self.query_one(".prompt--error", Static)
        line.update(printable(why))
        line.display = True

    def on_key(self, event: events.Key) -> None:
        """Keys that were typed before the prompt stood are its text."""
        line = self.query_one(Input) if self.query(Input) else None
        if line is None or line.has_focus:
            return
        if event.is_printable and event.character:
            event.stop()
            line.insert_text_at_cursor(event.character)
        elif event.key == "enter":
            event.stop()
            self._take(line.value)

    @on(Input.Submitted)
    def _submit(self, message: Input.Submitted) -> None:
        self._take(message.value)

    def _take(self, value: str) -> None:
        if self.answered:
            return
        try:
            self._accept(value)
        except ProfTuiError as error:
            self._refuse(str(error))
        else:
            self.dismiss(value)


_CLOSE = key("choice", "escape", "dismiss(None)", _("Close"), _("Close without doing anything"), show=True)

_LIST_CSS = """
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

    DEFAULT_CSS = _LIST_CSS.format(name="ValuesScreen")
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

    DEFAULT_CSS = _LIST_CSS.format(name="OneScreen")
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

    DEFAULT_CSS = _LIST_CSS.format(name="ColumnsScreen")
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


def ask_new_file(
    asking: Widget, title: str, *, name: str, suffix: str, write: Callable[[Path], None]
) -> None:
    """Ask for the path of a new file, outside the capture, and ``write`` it."""
    try:
        path = free_name(folder_for_files(Path.cwd()), name, suffix)
    except ProfTuiError as error:
        asking.notify(str(error), severity="error", markup=False)
        return

    def accept(text: str) -> None:
        wanted = Path(os.path.expanduser(text.strip()))
        check_new(wanted)
        write(wanted)

    asking.app.push_screen(PromptScreen(title, value=str(path), accept=accept))
