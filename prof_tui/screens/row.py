"""The page of one row: every column explained; for an op also its rank, its kind, its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from prof_tui.data.pages.op import OpDetail, op_detail
from prof_tui.errors import ProfTuiError
from prof_tui.panes.pages.page import Page
from prof_tui.panes.pages.row import op_page, row_page
from prof_tui.screens.pushed import PushedScreen
from prof_tui.widgets.key_line import KeyLine
from prof_tui.widgets.keys import key
from prof_tui.widgets.title_bar import TitleBar
from prof_tui.words import _, printable

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture
    from prof_tui.data.tables.table import Table

_key = partial(key, "row", show=True)


class RowScreen(PushedScreen):
    """One row of a table; ``row`` is its row number."""

    DEFAULT_CSS = """
    RowScreen VerticalScroll { height: 1fr; padding: 0 1; }
    RowScreen VerticalScroll Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("enter,i", "timeline", _("Iteration"), _("The timeline of its iteration, at this op")),
        _key("v", "show_event", _("Timeline"), _("The event of this op in the timeline of everything")),
        _key("p", "neighbour(-1)", _("Op before"), _("The op before it on the device"), name="before"),
        _key("n", "neighbour(1)", _("Op after"), _("The op after it on the device"), name="after"),
        _key("y,Y", "copy_row", _("Copy"), _("Copy all columns, one a line"), show=False),
    ]

    @dataclass
    class _Read(Message):
        row: int
        page: Page
        op: OpDetail | None

    @dataclass
    class _Refused(Message):
        sentence: str

    def __init__(self, capture: OpenCapture, table: Table, row: int) -> None:
        super().__init__(capture)
        self.table = table
        self.row = row
        self.page: Page | None = None
        self.op: OpDetail | None = None
        self._reading = False
        self._steps_left = 0
        """Ops to go by the keys pressed while one is read."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with VerticalScroll():
            yield Static(classes="row--text")
        yield KeyLine()

    def again(self) -> PushedScreen:
        return RowScreen(self.capture, self.table, self.row)

    def on_mount(self) -> None:
        self.scope = self.home.scope
        self.query_one(VerticalScroll).focus()
        self._read(self.row)

    def _read(self, row: int) -> None:
        self._reading = True
        self.say_title(_("{table}, reading the row").format(table=self.table.name))

        width = max(20, self.size.width - 4)

        def work() -> None:
            try:
                if self.table.name == "op_summary":
                    op = op_detail(self.capture, self.table, row)
                    self.post_message(self._Read(row, op_page(self.table, op, width), op))
                else:
                    [cells] = self.table.cells([row])
                    page = row_page(self.table, list(zip(self.table.columns, cells, strict=True)))
                    self.post_message(self._Read(row, page, None))
            except ProfTuiError as error:
                self.post_message(self._Refused(str(error)))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="row")

    @on(_Read)
    def _show(self, message: _Read) -> None:
        self.row, self.page, self.op, self._reading = message.row, message.page, message.op, False
        self.query_one(".row--text", Static).update(message.page.draw())
        self.query_one(VerticalScroll).scroll_home(animate=False)
        self.say_title(*message.page.title, more=message.page.subtitle)
        self.refresh_bindings()
        self._step()

    @on(_Refused)
    def _say_why_not(self, message: _Refused) -> None:
        self._reading, self._steps_left = False, 0
        self.query_one(".row--text", Static).update(printable(message.sentence))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what this row can't do: only ops have neighbours, only those in an iteration a timeline."""
        if action == "timeline":
            return self.op is not None and self.op.scope.iteration is not None
        if action == "show_event":
            return self.op is not None and bool(self.capture.traces.names())
        if action == "neighbour":
            return (
                self.op is not None and (self.op.before if parameters[0] == -1 else self.op.after) is not None
            )
        return True

    def action_timeline(self) -> None:
        if self.op is not None and self.op.scope.iteration is not None:
            self.show_iteration(self.op.scope, self.row, scope_after=self.home.scope)

    def action_show_event(self) -> None:
        self.show_op_in_timeline(self.row)

    def action_neighbour(self, direction: int) -> None:
        """One op further; presses while one is read are gone through one by one."""
        self._steps_left += direction
        if not self._reading:
            self._step()

    def _step(self) -> None:
        if self.op is None or not self._steps_left:
            return
        direction = 1 if self._steps_left > 0 else -1
        other = self.op.before if direction < 0 else self.op.after
        self._steps_left = self._steps_left - direction if other is not None else 0
        if other is not None:
            self._read(other.row)

    def action_copy_row(self) -> None:
        if self.page is not None:
            self.copy(self.page.copied)
