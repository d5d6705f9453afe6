"""The ids that a finding may have, and what the value is that ``--fail-on ID:>VALUE`` compares."""

from __future__ import annotations

from prof_tui.data.findings.rules import all_rules
from prof_tui.words import _

_USUAL = ("%", _("its cost, % of the period"))
_FACTOR = ("x", _("what made the iteration so, over its median"))
_OF_OP_TIME = ("%", _("% of op time"))
_VALUES = {
    "iteration_stall": _FACTOR,
    "iteration_slow_op": _FACTOR,
    "iteration_communication": _FACTOR,
    "iteration_more_ops": _FACTOR,
    "iteration_slow": _FACTOR,
    "iteration_short": _FACTOR,
    "dynamic_ops": ("%", _("% of ops")),
    "float32_share": _OF_OP_TIME,
    "format_ops_share": _OF_OP_TIME,
    "prof_rule": ("", _("ops that the advice names")),
    "slow_device": ("%", _("(max - min) / mean over devices, %")),
    "top_op_types": ("%", _("the first one's % of op time")),
    "top_ops": ("%", _("the first one's % of op time")),
    "transdata_count": ("", _("TransData ops in an iteration")),
    "wait_share": ("%", _("waits, % of durations and waits")),
    "warm_up": ("us", _("its cost once, us")),
}
"""Unit and meaning of the values that are not a cost's share of the period."""


def finding_ids() -> tuple[str, ...]:
    """All ids, in alphabetical order."""
    return tuple(sorted({id_ for rule in all_rules() for id_ in rule.finding_ids}))


def unit_of(id_: str) -> str:
    """``%``, ``x``, ``us``, or empty for a plain number."""
    return _VALUES.get(id_, _USUAL)[0]


def meaning_of(id_: str) -> str:
    """What the value is, with its unit."""
    return _VALUES.get(id_, _USUAL)[1]


def ids_text() -> str:
    """The ids with their values, one a line."""
    ids = finding_ids()
    width = max(map(len, ids), default=0)
    return "\n".join(f"  {id_:<{width}}  {meaning_of(id_)}" for id_ in ids)
