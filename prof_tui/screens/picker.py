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

from prof_tui.data.capture.find import CaptureSummary, check_exported, describe
from prof_tui.data.open_capture import OpenCapture
from prof_tui.errors import ProfTuiError
from prof_tui.screens.capture import CaptureScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.keys import key
from prof_tui.words import NOT_AVAILABLE, _, counted, printable


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
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key("picker", "q", "app.quit", _("Quit"), _("Leave prof-tui"), show=True),
        key("picker", "j", "cursor(1)", _("Down"), _("The next capture"), name="down"),
        key("picker", "k", "cursor(-1)", _("Up"), _("The capture above"), name="up"),
    ]

    @dataclass
    class _Described(Message):
        summaries: list[CaptureSummary]

    @dataclass
    class _Checked(Message):
        path: Path
        refusal: str

    def __init__(
        self, captures: Sequence[Path], *, pane: str | None = None, device: int | None = None
    ) -> None:
        """``pane`` and ``device`` are what the chosen capture opens with."""
        super().__init__()
        self._captures = list(captures)
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
        yield _Captures(*(Option(Text(printable(path.name))) for path in self._captures))
        yield Static(classes="picker--refusal", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

        def work() -> None:
            self.post_message(self._Described([describe(path) for path in self._captures]))

        self.run_worker(work, thread=True, exit_on_error=False, group="describe")

    @on(_Described)
    def _show_summaries(self, message: _Described) -> None:
        options = self.query_one(OptionList)
        at = options.highlighted
        options.clear_options()
        options.add_options([Option(_line(summary)) for summary in message.summaries])
        options.highlighted = at

    @on(OptionList.OptionSelected)
    def _check(self, message: OptionList.OptionSelected) -> None:
        path = self._captures[message.option_index]

        def work() -> None:
            try:
                check_exported(path)
            except ProfTuiError as error:
                self.post_message(self._Checked(path, str(error)))
            else:
                self.post_message(self._Checked(path, ""))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="check")

    @on(_Checked)
    def _choose(self, message: _Checked) -> None:
        self.query_one(".picker--refusal", Static).update(printable(message.refusal))
        if not message.refusal:
            screen = CaptureScreen(OpenCapture(message.path), pane=self._pane, device=self._device)
            self.app.push_screen(screen)

    def action_cursor(self, direction: int) -> None:
        options = self.query_one(OptionList)
        if direction > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()


def _line(summary: CaptureSummary) -> Text:
    """Name, then date, devices and tables on a second line."""
    text = Text(printable(summary.path.name), style="bold")
    said = _("  {date}  devices {devices}  {tables}").format(
        date=summary.date.strftime("%Y-%m-%d %H:%M:%S") if summary.date else NOT_AVAILABLE,
        devices=", ".join(map(str, summary.devices)) or NOT_AVAILABLE,
        tables=", ".join(summary.tables) if summary.exported else _("not exported yet"),
    )
    return text.append("\n" + said, style="not bold")
