"""Pane 3: one row per device, OP Type and Core Type: msprof's own file, or computed for a narrower scope."""

from __future__ import annotations

from dataclasses import replace

from prof_tui.data.query import Query, Scope, Sort
from prof_tui.data.table import Table
from prof_tui.panes.answers import Opening, Question
from prof_tui.panes.table_pane import TablePane
from prof_tui.words import _


class OpStatisticPane(TablePane):
    """Where the time goes by OP Type, largest Total Time first."""

    table_name = "op_statistic"

    def source(self, scope: Scope) -> Opening:
        table, computed = self.capture.op_statistic(scope)
        question = Question(self.first_query(table, scope))
        return Opening(table, question, title=_title(scope) if computed else "")

    def first_query(self, table: Table, scope: Scope) -> Query:
        total = table.get("total_time")
        return Query(self.own_scope(scope), sort=Sort(total.header, True) if total else None)

    def own_scope(self, scope: Scope) -> Scope:
        """Its rows already are the scope's model and iteration; only the device is chosen from them."""
        return Scope(device=scope.device)

    def set_scope(self, scope: Scope) -> None:
        self.scope = scope
        question = None
        if self.opening is not None:
            query = replace(self.question.query, scope=self.own_scope(scope))
            question = replace(self.question, query=query)
        self.open(question)


def _title(scope: Scope) -> str:
    if scope.iteration is None and scope.model is None:
        return _("computed from op_summary")
    if scope.iteration is None:
        return _("computed from op_summary, Model ID {model}").format(model=scope.model)
    if scope.model is None:
        return _("computed from op_summary, iteration {iteration}").format(iteration=scope.iteration)
    return _("computed from op_summary, iteration {iteration} of Model ID {model}").format(
        iteration=scope.iteration, model=scope.model
    )
