"""What a pane on a number key is to its screen, whether it shows a table or a timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget

from prof_tui.data.query.query import Scope

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.timeline.model import TraceIndex


class CapturePane(Vertical):
    """One way of looking at a capture, for the scope that the screen has."""

    table_name = ""
    """The file type that the pane shows; also what its files are called when it is written."""
    title = ""
    """What the rows are, where it isn't msprof's own file."""

    def __init__(
        self,
        capture: OpenCapture,
        *children: Widget,
        scope: Scope = Scope(),
        pane_id: str | None = None,
    ) -> None:
        super().__init__(*children, id=pane_id)
        self.capture = capture
        self.scope = scope

    def set_scope(self, scope: Scope) -> None:
        """Show another scope."""
        raise NotImplementedError

    def standing(self) -> object:
        """What is shown and where the cursor is, to go back to it."""
        raise NotImplementedError

    def is_at(self, standing: object) -> bool:
        """Whether that is what is shown, with the cursor in the same place."""
        return standing == self.standing()

    def go_back_to(self, standing: object) -> None:
        """Show it again, within the screen's scope."""
        raise NotImplementedError

    def reload(self) -> None:
        """Read the files anew and show the same."""
        raise NotImplementedError

    def cancel(self) -> bool:
        """Give up the running step and stay with what is shown; False when there is none."""
        raise NotImplementedError

    def take_focus(self) -> None:
        """Give the keys to what the pane shows, at once: more may have been typed."""
        raise NotImplementedError

    def take_timeline(self) -> None:
        """A timeline was read: say more where that is possible with it."""

    @property
    def file_names(self) -> tuple[str, ...]:
        """The files that it shows."""
        return ()


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
class NotFound(FromPane):
    """What the user asked for is nowhere: the question is still open."""

    sentence: str
    asked: str
    """The name of the dialog."""
    text: str
    """What was typed."""


@dataclass
class CopyWanted(FromPane):
    """The user copies a text."""

    text: str


@dataclass
class SteadyChosen(FromPane):
    """Other iterations of the capture count as steady: other panes may tell them apart."""


@dataclass
class EventEntered(FromPane):
    """The user goes into an event of a timeline."""

    index: TraceIndex
    event: int


@dataclass
class TimelineRead(FromPane):
    """A timeline of the capture was read: other panes may say more with it."""
