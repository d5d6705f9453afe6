"""The page of one row: every column explained; for an op also its rank, its kind, its neighbours."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from prof_tui.data.pages.op import OpDetail, op_detail
from prof_tui.panes.pages.page import Page
from prof_tui.panes.pages.row import op_page, row_page
from prof_tui.screens.destinations import ToIteration, ToRow
from prof_tui.screens.navigation import Navigator
from prof_tui.screens.pushed import PageView
from prof_tui.widgets.keys import key
from prof_tui.words import _

_key = partial(key, "row", show=True)


class RowView(PageView):
    """One row of a table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("enter,i", "timeline", _("Iteration"), _("The timeline of its iteration, at this op")),
        _key("v", "show_event", _("Timeline"), _("The event of this op in the timeline of everything")),
        _key("p", "neighbour(-1)", _("Op before"), _("The op before it on the device"), name="before"),
        _key("n", "neighbour(1)", _("Op after"), _("The op after it on the device"), name="after"),
        _key("y,Y", "copy", _("Copy"), _("Copy all columns, one a line"), show=False),
    ]

    def __init__(self, navigator: Navigator, to: ToRow) -> None:
        super().__init__(navigator)
        self.table, self.row = to.table, to.row
        self.op: OpDetail | None = None
        self._is_reading = False
        self._steps_left = 0
        """Ops to go by the keys pressed while one is read."""

    @property
    def destination(self) -> ToRow:
        return ToRow(self.table, self.row)

    def begin(self) -> None:
        self._read_row(self.row)

    def _read_row(self, row: int) -> None:
        self._is_reading = True
        self.post_message(self.Titled((_("{table}, reading the row").format(table=self.table.name),)))
        width = max(20, self.app.size.width - 4)
        self.read(partial(self._make_page, row, width), partial(self._show_row, row))

    def _make_page(self, row: int, width: int) -> tuple[Page, OpDetail | None]:
        """Runs in a worker."""
        if self.table.name == "op_summary":
            op = op_detail(self.navigator.capture, self.table, row)
            return op_page(self.table, op, width), op
        [cells] = self.table.cells([row])
        return row_page(self.table, list(zip(self.table.columns, cells, strict=True))), None

    def _show_row(self, row: int, made: tuple[Page, OpDetail | None]) -> None:
        page, self.op = made
        self.row, self._is_reading = row, False
        self.show(page)
        self._step()

    def refuse(self, sentence: str) -> None:
        self._is_reading, self._steps_left = False, 0
        super().refuse(sentence)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what this row can't do: only ops have neighbours, only those in an iteration a timeline."""
        if action == "timeline":
            return self.op is not None and self.op.scope.iteration is not None
        if action == "show_event":
            return self.op is not None and bool(self.navigator.capture.traces.names())
        if action == "neighbour":
            return (
                self.op is not None and (self.op.before if parameters[0] == -1 else self.op.after) is not None
            )
        return True

    def action_timeline(self) -> None:
        if self.op is not None and self.op.scope.iteration is not None:
            to = ToIteration(self.op.scope, row=self.row, scope_after=self.navigator.scope)
            self.navigator.open(to)

    def action_show_event(self) -> None:
        self.navigator.show_op_in_timeline(self.row)

    def action_neighbour(self, direction: int) -> None:
        """One op further; presses while one is read are gone through one by one."""
        self._steps_left += direction
        if not self._is_reading:
            self._step()

    def _step(self) -> None:
        if self.op is None or not self._steps_left:
            return
        direction = 1 if self._steps_left > 0 else -1
        other = self.op.before if direction < 0 else self.op.after
        self._steps_left = self._steps_left - direction if other is not None else 0
        if other is not None:
            self._read_row(other.row)
