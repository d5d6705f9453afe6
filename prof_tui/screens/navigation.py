"""What all screens of a capture share: the scope, going into a row, help, and the ways between screens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.dom import DOMNode
from textual.message import Message
from textual.screen import Screen

from prof_tui.data.pages.neighbours import neighbour
from prof_tui.data.query.query import OUTSIDE, Scope
from prof_tui.errors import ProfTuiError
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.timeline.pane import EventEntered
from prof_tui.screens.dialogs.help import HelpScreen
from prof_tui.screens.dialogs.table import DialogScreen
from prof_tui.words import NOT_AVAILABLE, _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.spans.span import Span
    from prof_tui.data.timeline.model import TraceIndex


_EVERYWHERE = _("Everywhere")
RowCells = dict[str, str]
"""A row's cells by column id; N/A where the file lacks the column."""


class DrillDown(DialogScreen):
    """A screen over one capture."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (9, "-high")]  # noqa: RUF012 - as Textual declares it
    DEFAULT_CSS = """
    DrillDown.-low TitleBar, DrillDown.-low KeyLine { display: none; }
    DrillDown.-low .table--chips, DrillDown.-low .table--notices { height: 0; }
    """

    @dataclass
    class _RowRead(Message):
        then: Callable[[RowCells], None]
        cells: RowCells

    @dataclass
    class _NotRead(Message):
        sentence: str

    @dataclass
    class _Neighbour(Message):
        scope: Scope | None
        steps: int

    def __init__(self, capture: OpenCapture, scope: Scope = Scope()) -> None:
        super().__init__()
        self.capture = capture
        self.scope = scope
        self._steps = 0
        """Iterations to go by the keys pressed since the last answer."""

    def scope_chips(self) -> list[str]:
        """The scope as one chip, with the key that clears it; nothing for no scope."""
        parts = []
        if self.scope.device is not None:
            parts.append(_("device {device}").format(device=self.scope.device))
        if self.scope.model is not None:
            parts.append(_("Model ID {model}").format(model=self.scope.model))
        if self.scope.iteration == OUTSIDE:
            parts.append(_("outside iterations"))
        elif self.scope.iteration is not None:
            parts.append(_("iteration {iteration}").format(iteration=self.scope.iteration))
        return [", ".join([*parts, _("0 clears")])] if parts else []

    # Into a row

    def enter_row(self, pane: TablePane, row: int) -> None:
        """What Enter on a row of any table leads to, but for op statistic."""
        name = pane.table_name
        if name == "step_trace":
            self.read_row(pane, row, self._enter_iteration)
        elif name == "files":
            self.read_row(pane, row, self._enter_file)
        elif pane.table is not None:
            self.open_detail(pane, row)

    def read_row(self, pane: TablePane, row: int, then: Callable[[RowCells], None]) -> None:
        """Read a row in a worker, then call ``then`` with its cells."""
        table = pane.table
        if table is None:
            return

        def work() -> None:
            try:
                [cells] = table.cells([row])
            except ProfTuiError as error:
                self.post_message(self._NotRead(str(error)))
                return
            named = {
                column.id: NOT_AVAILABLE if cell is None else cell
                for column, cell in reversed(list(zip(table.columns, cells, strict=True)))
            }
            self.post_message(self._RowRead(then, named))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="row")

    @on(_RowRead)
    def _use_row(self, message: _RowRead) -> None:
        message.then(message.cells)

    @on(_NotRead)
    def _say_not_read(self, message: _NotRead) -> None:
        self.notify(message.sentence, severity="error", markup=False)

    def _enter_iteration(self, cells: RowCells) -> None:
        iteration = number(cells.get("iteration_id"))
        if iteration is not None:
            known = self.capture.export.devices
            device = number(cells.get("device_id"))
            only = known[0] if device is None and len(known) == 1 else device
            self.show_iteration(Scope(only, number(cells.get("model_id")), iteration))

    def show_iteration(
        self,
        scope: Scope,
        row: int | None = None,
        *,
        event: int | None = None,
        scope_after: Scope | None = None,
    ) -> None:
        """Open the iteration screen, with the cursor on a row of op summary or an event of the timeline.

        ``scope_after``: what Escape leaves the scope at; None for the iteration, which was chosen.
        """
        from prof_tui.screens.iteration import IterationScreen

        self.app.push_screen(
            IterationScreen(self.capture, scope, row=row, event=event, scope_after=scope_after)
        )

    def _enter_file(self, cells: RowCells) -> None:
        from prof_tui.screens.tables import FileScreen

        name, status = cells.get("type", ""), cells.get("status")
        found = self.capture.export.table(name)
        if found is None and name in self.capture.traces.names():
            self.call_later(self.show_timeline, name)
        elif found is None or status not in ("ok", "damaged"):
            self.notify(cells.get("why") or _("This is not a table."), severity="warning", markup=False)
        elif cells.get("used") != _("yes"):
            self.notify(_("This file is not used: {why}").format(why=cells.get("why")), markup=False)
        else:
            self.app.push_screen(FileScreen(self.capture, name))

    def open_detail(self, pane: TablePane, row: int) -> None:
        from prof_tui.screens.row import RowScreen

        if pane.table is not None:
            self.app.push_screen(RowScreen(self.capture, pane.table, row))

    async def show_timeline(self, trace_name: str) -> None:
        """Show the timeline of a type."""
        raise NotImplementedError

    def show_in_timeline(
        self, event: int | None, span: Span | None = None, *, trace_name: str | None = None
    ) -> None:
        """Go to an event or a stretch of time in a timeline; back leads to where the user is now.

        ``trace_name``: None for the first timeline of the export.
        """
        raise NotImplementedError

    @on(EventEntered)
    def _enter_event(self, message: EventEntered) -> None:
        message.stop()
        if message.pane.index is not None:
            self.enter_event(message.pane.index, message.event)

    def enter_event(self, index: TraceIndex, event: int) -> None:
        """Open the page of an event of a timeline."""
        from prof_tui.screens.event import EventScreen

        self.app.push_screen(EventScreen(self.capture, index, event, scope=self.scope))

    def show_op_in_timeline(self, row: int) -> None:
        """Go to the event of a row of op summary in the timeline."""
        raise NotImplementedError

    # The iteration before and after

    def action_iteration(self, direction: int) -> None:
        """One iteration further than all presses so far, also those that are still being answered."""
        self._steps += direction
        scope, steps = self.scope, self._steps

        def work() -> None:
            try:
                found = neighbour(self.capture, scope, steps)
            except ProfTuiError as error:
                self.post_message(self._NotRead(str(error)))
            else:
                self.post_message(self._Neighbour(found, steps))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="neighbour")

    @on(_Neighbour)
    def _use_neighbour(self, message: _Neighbour) -> None:
        if message.steps != self._steps:
            return
        self._steps = 0
        if message.scope is None or message.scope == self.scope:
            self.notify(_("There is no further iteration of this model with ops here."), markup=False)
        else:
            self.go_to_iteration(message.scope)

    def go_to_iteration(self, scope: Scope) -> None:
        """Look at another iteration."""
        raise NotImplementedError

    # Help

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(self._active_keys(), *self._pane_words()))

    def _active_keys(self) -> list[tuple[str, str, str]]:
        """(group, key, what it does) of every binding that works now, those of the focus first."""
        rows: dict[str, tuple[str, str, str]] = {}
        for active in self.active_bindings.values():
            binding = active.binding
            if binding.id is None or not active.enabled:
                continue
            key = self.app.get_key_display(binding)
            if binding.id in rows:
                key = f"{rows[binding.id][1]} {key}"
            group = self._key_group(binding.id, active.node)
            rows[binding.id] = (group, key, binding.tooltip or binding.description)
        return sorted(rows.values(), key=lambda row: row[0] == _EVERYWHERE)

    def _key_group(self, binding_id: str, node: DOMNode) -> str:
        """Under which heading the help has a key: a screen's own keys are apart from those of all screens."""
        if binding_id.startswith(("screen.", "app.")):
            return _EVERYWHERE
        return _("This screen") if node is self else getattr(node, "BINDING_GROUP_TITLE", None) or ""

    def _pane_words(self) -> tuple[list[tuple[str, str]], list[str]]:
        """Columns of the focused table with their meanings, the cursor's first; and all notices."""
        pane = self.asked_pane()
        if pane is None:
            return [], self.other_notices()
        column = pane.cursor_column
        ordered = sorted(pane.columns, key=lambda each: each is not column)
        return [(each.header, each.spec.meaning) for each in ordered], pane.notices

    def other_notices(self) -> list[str]:
        """What is to be said where no table is asked."""
        return []


def number(text: str | None) -> int | None:
    """An id as a number; None for N/A."""
    try:
        return int(text or "")
    except ValueError:
        return None


@dataclass(frozen=True)
class Lent:
    """A table pane that shows something for a look, and what was there before."""

    pane: str
    standing: object
    """What the pane showed; None where it was not open."""
    scope: Scope | None
    """The screen's; None where the look leaves that as it is."""


@dataclass(frozen=True)
class Visit:
    """A pane with what it showed, and what stood above it."""

    pane: str
    standing: object
    """As the pane says it."""
    above: tuple[Screen[None], ...] = ()
    """Screens to be pushed again, the lowest first."""
    lent: Lent | None = None
    """What is given back on the way."""
