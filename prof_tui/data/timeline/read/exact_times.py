"""Int64 nanoseconds of microseconds that are texts, as ``cell_values.to_ns`` reads one.

The quick decoding hands over a fraction as the shortest text of its Float64, and a whole number too where
the fraction is lost in it; where that can matter to a nanosecond, the file's own digits are looked up.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl

from prof_tui.data.tables.cells import to_ns
from prof_tui.data.timeline.read.json_scan import decoder
from prof_tui.words import NS_PER_US

_EXACT_US = float(1 << 40)
"""Below it a Float64 of microseconds is far nearer than half a nanosecond."""
_HALF = 1e-3
"""So close to half a ns it has to be seen which side the file means."""
_SURE = 20
"""A text so long, three decimals among it, is none of a Float64 but the file's own."""
_PLAIN = r"^-?\d{1,16}(\.\d{1,3})?$"
"""Digits that the quick reading can't get wrong."""


def exact_ns(events: pl.DataFrame, column: str, json_of: Callable[[pl.DataFrame], pl.Series]) -> pl.Series:
    """Int64 of ``column`` (``ts`` or ``dur``) of events; null where it is no number.

    ``json_of`` gives the JSON text of some of the events.
    """
    read = events.select(text=pl.col(column), ns=_quick_ns(column))
    if not read["ns"].null_count() and read.select(_OWN_FORM.all()).item():
        return read["ns"]
    judged = read.select("ns", doubtful=_doubtful())
    rows = judged["doubtful"].arg_true()
    if not len(rows):
        return judged["ns"]
    doubtful = events[rows]
    found = pl.DataFrame({"read": doubtful[column], "text": json_of(doubtful)}).with_columns(
        raw=pl.col("text").str.extract(rf'"{column}"\s*:\s*"?\s*([^",\}}\s]+)')
    )
    settled = (pl.col("raw") == pl.col("read")) & pl.col("raw").str.contains(_PLAIN)
    odd = found.select(settled.fill_null(False).not_()).to_series().arg_true()
    if not len(odd):
        return judged["ns"]
    exact = [_ns(raw, read, text, column) for read, text, raw in found[odd].iter_rows()]
    return judged["ns"].scatter(rows.gather(odd), pl.Series(exact, dtype=pl.Int64))


def _quick_ns(column: str) -> pl.Expr:
    return (pl.col(column).cast(pl.Decimal(38, 3), strict=False) * NS_PER_US).cast(pl.Int64, strict=False)


_OWN_FORM = (pl.col("text").str.len_bytes() >= _SURE) & (pl.col("text").str.slice(-4, 1) == ".")
"""Whether a time is of the exporter's own form, which is too long for a Float64's text."""


def _doubtful() -> pl.Expr:
    """Whether a text may not be the file's own, or lie half way between two nanoseconds."""
    number = pl.col("text").cast(pl.Float64, strict=False)
    ns = number * NS_PER_US
    beside_half = ((ns - ns.floor()) - 0.5).abs() < _HALF
    doubtful = pl.when(number.abs() < _EXACT_US).then(beside_half).otherwise(~_OWN_FORM)
    return (doubtful | pl.col("ns").is_null()).fill_null(True) & pl.col("text").is_not_null()


def _ns(raw: str | None, read: str, text: str, column: str) -> int | None:
    """From the digits of the first key of that name, or of the event's own where that one is nested."""
    if raw is None or not _same(raw, read):
        raw = own_text(text, column)
    return None if raw is None else to_ns(raw.strip(), NS_PER_US)


def _same(raw: str, read: str) -> bool:
    try:
        return raw == read or float(raw) == float(read)
    except ValueError:
        return False


def own_text(text: str, key: str) -> str | None:
    """The text of a value of the event itself; None where it isn't there or no JSON."""
    try:
        value: Any = decoder().decode(text).get(key)
    except (json.JSONDecodeError, AttributeError):
        return None
    return value if isinstance(value, str) else None
