"""Iterations that op_summary covers only in part: they hold fewer ops than others of their model.

An iteration is compared with those of its device and model that have the same set of kinds; where fewer than
three others have, with those whose set includes its own, as lost rows take kinds with them.  It is
covered in part below 90 % of the median of their op counts, or without any op.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from prof_tui.data.capture.completeness import Completeness, Lack, Unchecked
from prof_tui.data.iterations.placement import Placement
from prof_tui.data.iterations.step_trace import ModelKey, StepTrace
from prof_tui.data.run.kinds import KIND
from prof_tui.data.run.ops import Ops
from prof_tui.data.tables.table import kept_rows
from prof_tui.data.tables.task_types import is_op
from prof_tui.words import _, count, counted, number_text

LEAST_SHARE = 0.9
FEWEST_PEERS = 3
_MOST_LOOKED_AT = 50
"""Iterations without peers of the same kinds that are compared with those of more kinds."""
_MOST_NAMED = 5

_WHAT = _("iterations")


def check_iterations(ops: Ops, placement: Placement, trace: StepTrace) -> Completeness:
    """The iterations of each model that has some in the step trace."""
    if not trace.steps:
        return _unchecked(_("The export has no iterations."))
    pairs = _kinds_of_iterations(ops, placement)
    found = [_Model(ops, trace, key, own) for key, own in _by_model(pairs, trace)]
    checked = [each for each in found if each.could_be_checked]
    lacks = tuple(lack for each in checked for lack in each.lacks())
    if checked:
        return Completeness(lacks)
    return _unchecked(_("Fewer than three iterations of a model hold the same kinds of ops."))


def _unchecked(why: str) -> Completeness:
    return Completeness(unchecked=(Unchecked("incomplete_iterations", _WHAT, why),))


def _kinds_of_iterations(ops: Ops, placement: Placement) -> pl.DataFrame:
    """``device``, ``model``, ``iteration``, ``kind`` (a number) and ``count`` of its ops."""
    kept = kept_rows(ops.table)
    placed = placement.iteration.is_not_null() if kept is None else placement.iteration.is_not_null() & kept
    if (types := ops.texts("task_type")) is not None:
        placed = placed & types.matching(_are_ops(types.values))
    rows = placed.arg_true()
    kind = pl.Series([0], dtype=pl.Int64).new_from_index(0, len(rows))
    for id_ in KIND.values() if ops.says("op_type") else ("op_name",):
        if (values := ops.texts(id_)) is not None:
            kind = (
                kind * (len(values.values) + 1) + values.codes.gather(rows).cast(pl.Int64).fill_null(-1) + 1
            )
    frame = pl.DataFrame(
        {
            "device": ops.device.gather(rows).cast(pl.Int64),
            "model": placement.model.gather(rows),
            "iteration": placement.iteration.gather(rows),
            "kind": kind,
        }
    )
    return frame.group_by(frame.columns).agg(count=pl.len().cast(pl.Int64))


def _are_ops(types: pl.Series) -> pl.Series:
    return pl.Series([is_op(text or "") for text in types], dtype=pl.Boolean)


def _by_model(pairs: pl.DataFrame, trace: StepTrace) -> Iterator[tuple[ModelKey, pl.DataFrame]]:
    for device, model in trace.models():
        mine = pl.col("model").eq_missing(pl.lit(model, pl.Int64))
        if device is not None:
            mine = mine & (pl.col("device") == device)
        yield (device, model), pairs.filter(mine).select("iteration", "kind", "count")


@dataclass(frozen=True)
class _Model:
    """The iterations of one model of a device."""

    ops: Ops
    trace: StepTrace
    key: ModelKey
    pairs: pl.DataFrame
    """``iteration``, ``kind``, ``count``."""

    @property
    def could_be_checked(self) -> bool:
        return self.pairs["iteration"].n_unique() > FEWEST_PEERS

    def lacks(self) -> Iterator[Lack]:
        each = self.pairs.group_by("iteration").agg(
            pl.col("count").sum(), kinds=pl.len(), set=pl.col("kind").hash().sum()
        )
        peers = each.with_columns(
            peers=pl.len().over("set", "kinds"), usual=pl.col("count").median().over("set", "kinds")
        )
        alike = peers.filter(pl.col("peers") > FEWEST_PEERS)
        short = alike.filter(pl.col("count") < LEAST_SHARE * pl.col("usual")).select(
            "iteration", "count", "usual"
        )
        if len(short):
            yield self._lack(short, "")
        others = self._with_more_kinds(peers.filter(pl.col("peers") <= FEWEST_PEERS))
        if len(others):
            yield self._lack(
                others, _("It may also be another kind of step: the others hold more kinds of ops.")
            )
        if empty := self._without_ops():
            yield self._empty(empty)

    def _with_more_kinds(self, lonely: pl.DataFrame) -> pl.DataFrame:
        """``iteration``, ``count`` and ``usual`` of those short of others with all of their kinds."""
        most = (
            self.pairs.group_by("iteration").agg(pl.col("count").sum()).select(pl.col("count").max()).item()
        )
        candidates = lonely.filter(pl.col("count") < LEAST_SHARE * most)
        rows = []
        if len(candidates) <= _MOST_LOOKED_AT:
            for iteration, number, kinds in candidates.select("iteration", "count", "kinds").iter_rows():
                own = self.pairs.filter(pl.col("iteration") == iteration)["kind"]
                held = self.pairs.group_by("iteration").agg(
                    pl.col("count").sum(), same=pl.col("kind").is_in(own.implode()).sum()
                )
                including = held.filter((pl.col("same") == kinds) & (pl.col("iteration") != iteration))
                if len(including) >= FEWEST_PEERS:
                    rows.append((iteration, number, including.select(pl.col("count").median()).item()))
        found = pl.DataFrame(
            rows, {"iteration": pl.Int64, "count": pl.Int64, "usual": pl.Float64}, orient="row"
        )
        return found.filter(pl.col("count") < LEAST_SHARE * pl.col("usual"))

    def _without_ops(self) -> tuple[int, ...]:
        """Iterations with a window in which no op is; none where each has files of its own."""
        if any(source.iteration is not None for source in self.ops.table.sources):
            return ()
        held = set(self.pairs["iteration"].unique())
        steps = (step for step in self.trace.of_model(self.key) if step.window is not None)
        return tuple(step.iteration for step in steps if step.iteration not in held)

    def _lack(self, short: pl.DataFrame, caveat: str) -> Lack:
        ordered = short.sort("iteration")
        ids = tuple(ordered["iteration"].to_list())
        worst = ordered.sort("count").row(0)
        rule = _(
            "An iteration is covered in part below 90 % of the median op count of at least three of its "
            "model and device with its kinds of ops: iteration {id} holds {n} in place of {usual}."
        ).format(id=worst[0], n=count(worst[1]), usual=count(round(worst[2])))
        return Lack(
            "incomplete_iterations",
            self._said(
                ids,
                "op_summary covers iteration {ids}{of} only in part",
                "op_summary covers iterations {ids}{of} only in part",
            ),
            len(ids),
            ("op_summary",),
            tuple((_("Iteration {id}").format(id=id_), n) for id_, n, _usual in ordered.iter_rows()),
            rule,
            caveat,
            *self.key,
            ids,
        )

    def _empty(self, ids: tuple[int, ...]) -> Lack:
        text = self._said(
            ids, "op_summary has no op of iteration {ids}{of}", "op_summary has no op of iterations {ids}{of}"
        )
        rule = _("The step trace has these iterations; others of the model hold ops.")
        return Lack("incomplete_iterations", text, len(ids), ("op_summary",), (), rule, "", *self.key, ids)

    def _said(self, ids: Sequence[int], one: str, many: str) -> str:
        named = ", ".join(map(str, ids[:_MOST_NAMED]))
        if len(ids) > _MOST_NAMED:
            named = _("{ids} and {n} more").format(ids=named, n=count(len(ids) - _MOST_NAMED))
        return counted(one, many, len(ids), ids=named, of=self._of())

    def _of(self) -> str:
        """Which model and device, where there are several."""
        models = self.trace.models()
        if len(models) == 1:
            return ""
        several = len({device for device, _model in models}) > 1
        text = _(" of Model ID {model}, device {device}") if several else _(" of Model ID {model}")
        return text.format(model=number_text(self.key[1]), device=number_text(self.key[0]))
