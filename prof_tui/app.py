"""The Textual application: which screen comes first."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widgets import Input

from prof_tui.data.open_capture import OpenCapture
from prof_tui.screens.capture import CaptureScreen
from prof_tui.screens.picker import PickerScreen
from prof_tui.terminal import (
    AsciiOnly,
    TerminalDriver,
    WithoutColours,
    forget_foreign_colours,
    has_colours,
)
from prof_tui.widgets.keys import key
from prof_tui.words import _, ascii_only


class ProfTuiApp(App[None]):
    """Shows one capture, after asking which where there are several."""

    TITLE = "prof-tui"
    ENABLE_COMMAND_PALETTE = True
    CSS = """
    OptionList:nocolor, OptionList:nocolor:focus {
        & > .option-list--option-highlighted { text-style: bold underline; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "app",
            "ctrl+z",
            "suspend_process",
            _("Suspend"),
            _("To the shell; its fg comes back"),
            priority=True,
        ),
        key(
            "app",
            "ctrl+c",
            "say_how_to_quit",
            _("How to quit"),
            _("Ctrl+C doesn't quit, so that nobody does it by accident"),
            priority=True,
        ),
    ]

    def __init__(
        self,
        captures: Sequence[Path],
        *,
        device: int | None = None,
        pane: str | None = None,
        file: Path | None = None,
        notices: Sequence[str] = (),
    ) -> None:
        """``notices``: what the list of captures may lack."""
        forget_foreign_colours()
        super().__init__(driver_class=TerminalDriver)
        self.no_color = self.no_color or not has_colours()
        self._captures = list(captures)
        self._device, self._pane, self._file = device, pane, file
        self._notices = tuple(notices)

    def on_mount(self) -> None:
        if len(self._captures) == 1:
            capture = OpenCapture(self._captures[0], chosen=self._file)
            self.push_screen(CaptureScreen(capture, pane=self._pane, device=self._device))
        else:
            picker = PickerScreen(self._captures, pane=self._pane, device=self._device, notices=self._notices)
            self.push_screen(picker)

    def on_ready(self) -> None:
        gc.freeze()
        gc.enable()

    async def on_event(self, event: events.Event) -> None:
        """A key does what it is bound to at once.

        Textual sends it from the focused widget upwards first, so that what is typed behind it in the same
        read would still go to the widget that it left.  A line of text takes its keys that way, in order,
        and so do keys that come before anything has the focus.
        """
        if isinstance(event, events.Key) and not event.is_forwarded and not self._waits_for_keys:
            active = self.screen.active_bindings.get(event.key)
            if active and active.enabled and await self.run_action(active.binding.action, active.node):
                return
        await super().on_event(event)

    @property
    def _waits_for_keys(self) -> bool:
        """Whether keys are still on their way to the screen."""
        return not self.screen.is_mounted or self.focused is None or isinstance(self.focused, Input)

    def action_say_how_to_quit(self) -> None:
        self.notify(_("q quits, in a prompt Ctrl+Q."), markup=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, then none of the colours and characters that the terminal doesn't have."""
        filters = list(super().get_line_filters())
        if self.no_color:
            filters.append(WithoutColours())
        if ascii_only():
            filters.append(AsciiOnly())
        return filters

    def get_key_display(self, binding: Binding) -> str:
        """A key as footer and help name it."""
        shown = super().get_key_display(binding)
        return binding.key if ascii_only() and not shown.isascii() else shown

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The keys that work now, then what Textual itself offers."""
        offered = set()
        for active in screen.active_bindings.values():
            binding, node = active.binding, active.node
            if binding.id is not None and active.enabled and binding.id not in offered:
                offered.add(binding.id)
                yield SystemCommand(
                    binding.description,
                    binding.tooltip or binding.description,
                    lambda action=binding.action, node=node: self.run_action(action, node),
                )
        yield SystemCommand(_("Theme"), _("Change the colours"), self.action_change_theme)
