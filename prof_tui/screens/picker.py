"""Several captures were found: which one to open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from prof_tui.data.capture.choice import CaptureSummary, describe, names_apart
from prof_tui.data.capture.find import check_exported
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.run.glance import look_into
from prof_tui.errors import ProfTuiError
from prof_tui.screens.capture import CaptureScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.keys import key
from prof_tui.words import _, counted, printable


class _Captures(OptionList):
    """Says in the footer what Enter does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("picker", "enter", "select", _("Open"), _("Open this capture"), show=True)
    ]


class PickerScreen(Screen[None]):
    """Opens the chosen capture above itself, so that Escape comes back to it."""

    DEFAULT_CSS = """
    PickerScreen Static { height: auto; padding: 0 1; }
    PickerScreen OptionList, PickerScreen OptionList:focus { height: 1fr; border: none; }
    PickerScreen .picker--refusal { color: $text-error; }
    PickerScreen .picker--notices { color: $text-warning; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key("picker", "q", "app.quit", _("Quit"), _("Leave prof-tui"), show=True),
        key("picker", "j", "cursor(1)", _("Down"), _("The next capture"), name="down"),
        key("picker", "k", "cursor(-1)", _("Up"), _("The capture above"), name="up"),
    ]

    @dataclass
    class _Described(Message):
        place: int
        text: Text

    @dataclass
    class _Checked(Message):
        path: Path
        refusal: str
        file: Path | None = None
        """The path where it is a file that opens alone."""

    def __init__(
        self,
        captures: Sequence[Path],
        *,
        pane: str | None = None,
        device: int | None = None,
        notices: Sequence[str] = (),
    ) -> None:
        """``pane`` and ``device``: what the chosen one opens with; ``notices``: what the list may lack."""
        super().__init__()
        self._captures = list(captures)
        self._names = names_apart(self._captures)
        self._notices = tuple(notices)
        self._pane, self._device = pane, device

    def compose(self) -> ComposeResult:
        yield Static(
            counted(
                "{n} capture found: Enter opens it",
                "{n} captures found: Enter opens one",
                len(self._captures),
            ),
            markup=False,
        )
        yield _Captures(*(Option(_row(name, [])) for name in self._names))
        yield Static(classes="picker--refusal", markup=False)
        yield Static("\n".join(map(printable, self._notices)), classes="picker--notices", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.run_worker(self._describe, thread=True, exit_on_error=False, group="describe")

    def _describe(self) -> None:
        """What names tell of each first, then what has to be read."""
        summaries = [describe(path, name) for path, name in zip(self._captures, self._names, strict=True)]
        for place, summary in enumerate(summaries):
            self.post_message(self._Described(place, _line(summary)))
        for place, summary in enumerate(summaries):
            if not self.is_attached:
                return
            if summary.exported:
                self.post_message(self._Described(place, _line(look_into(summary))))

    @on(_Described)
    def _show_summary(self, message: _Described) -> None:
        self.query_one(OptionList).replace_option_prompt_at_index(message.place, message.text)

    @on(OptionList.OptionSelected)
    def _check(self, message: OptionList.OptionSelected) -> None:
        path = self._captures[message.option_index]

        def work() -> None:
            try:
                check_exported(path)
            except ProfTuiError as error:
                self.post_message(self._Checked(path, str(error)))
            else:
                self.post_message(self._Checked(path, "", path if path.is_file() else None))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="check")

    @on(_Checked)
    def _choose(self, message: _Checked) -> None:
        self.query_one(".picker--refusal", Static).update(printable(message.refusal))
        if not message.refusal:
            name = self._names[self._captures.index(message.path)]
            capture = OpenCapture(message.path, chosen=message.file, name=name)
            self.app.push_screen(CaptureScreen(capture, pane=self._pane, device=self._device))

    def action_cursor(self, direction: int) -> None:
        options = self.query_one(OptionList)
        if direction > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()


def _line(summary: CaptureSummary) -> Text:
    """Name, then what is known of it on a second line."""
    tables = [", ".join(summary.tables)] if summary.tables else []
    return _row(summary.name, [*summary.parts(), *tables])


def _row(name: str, said: Sequence[str]) -> Text:
    text = Text(printable(name), style="bold")
    return text.append("\n  " + printable("  ".join(said)), style="not bold")
