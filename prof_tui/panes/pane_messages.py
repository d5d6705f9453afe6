"""What any pane tells its screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from prof_tui.panes.pane import CapturePane


@dataclass
class FromPane(Message):
    """Whatever a pane tells."""

    pane: CapturePane

    @property
    def control(self) -> CapturePane:
        return self.pane


@dataclass
class Changed(FromPane):
    """It shows something else, or its cursor is elsewhere."""


@dataclass
class Told(FromPane):
    """A sentence for the user that belongs to what was just done."""

    sentence: str
    failed: bool = False


@dataclass
class CopyWanted(FromPane):
    """The user copies a text."""

    text: str


@dataclass
class TimelineRead(FromPane):
    """A timeline of the capture was read: other panes may say more with it."""
