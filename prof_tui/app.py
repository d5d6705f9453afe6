"""The Textual application: which screen comes first."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from pathlib import Path

from textual.app import App, SystemCommand
from textual.screen import Screen

from prof_tui.data.open_capture import OpenCapture
from prof_tui.screens.capture_screen import CaptureScreen
from prof_tui.screens.picker_screen import PickerScreen
from prof_tui.words import _


class ProfTuiApp(App[None]):
    """Shows one capture, after asking which where there are several."""

    TITLE = "prof-tui"
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        captures: Sequence[Path],
        *,
        device: int | None = None,
        pane: str | None = None,
        file: Path | None = None,
    ) -> None:
        super().__init__()
        self._captures = list(captures)
        self._device, self._pane, self._file = device, pane, file

    def on_mount(self) -> None:
        if len(self._captures) == 1:
            self._open(self._captures[0])
        else:
            self.push_screen(PickerScreen(self._captures), self._open)

    def on_ready(self) -> None:
        gc.freeze()
        gc.enable()

    def _open(self, path: Path | None) -> None:
        if path is not None:
            capture = OpenCapture(path, chosen=self._file)
            self.push_screen(CaptureScreen(capture, pane=self._pane, device=self._device))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The keys that work now, then what Textual itself offers."""
        for active in screen.active_bindings.values():
            binding, node = active.binding, active.node
            if binding.id is not None and active.enabled:
                yield SystemCommand(
                    binding.description,
                    binding.tooltip or binding.description,
                    lambda action=binding.action, node=node: self.run_action(action, node),
                )
        yield SystemCommand(_("Theme"), _("Change the colours"), self.action_change_theme)
