"""The lines around a table: filters as chips above it, counts and notices below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.worker import Worker

from prof_tui.data.query.query import Query, Sort, View
from prof_tui.words import _, count, counted, glyphs, printable

if TYPE_CHECKING:
    import polars as pl


def chips(query: Query) -> Text:
    """The query's filters, each with the mark that it can be taken off; empty without any."""
    text = Text(no_wrap=True, overflow="ellipsis")
    for condition in query.filters:
        text.append(f" {printable(str(condition))} {glyphs().removable} ", style="reverse")
        text.append(" ")
    if query.filters:
        text.append(_("x takes the last off, X all"), style="dim")
    return text


def counts(first: int, shown: int, matched: int, total: int) -> str:
    """What of the table is on the screen: *shown / matched / total*."""
    if not matched or shown <= 0:
        text = _("no rows shown / {matched} matched / {total} total")
        return text.format(matched=count(matched), total=count(total))
    return _("rows {first} to {last} shown / {matched} matched / {total} total").format(
        first=count(first + 1), last=count(first + shown), matched=count(matched), total=count(total)
    )


def hidden_by_filter(view: View) -> str:
    """Why a table is empty although its scope has rows; an empty text where it isn't."""
    if view.matched or not view.in_scope or not (view.query.filters or view.query.find):
        return ""
    said = _("The filter hides {n} of {n} rows; x takes it off.").format(n=count(view.in_scope))
    return " ".join([said, *map(printable, view.near)])


def sorted_by(sort: Sort | None) -> str:
    if sort is None:
        return _("file order")
    mark = glyphs().descending if sort.descending else glyphs().ascending
    return _("by {column} {mark}").format(column=sort.column, mark=mark)


def stated(number: int | None) -> str:
    """How many rows op statistic says there are; an empty text where it doesn't say."""
    return "" if number is None else _("Count in op_statistic {n}").format(n=count(number))


def matches(found: pl.Series | None, row: int, text: str) -> str:
    """How many rows hold the text that was looked for, and which one the cursor's row is.

    ``found``: their places, ascending; None while they aren't known.
    """
    if found is None:
        return ""
    at = int(found.search_sorted(row))
    if at < len(found) and found[at] == row:
        return _("row {at} of {n} with {text!r}").format(
            at=count(at + 1), n=count(len(found)), text=printable(text)
        )
    return counted("{n} row with {text!r}", "{n} rows with {text!r}", len(found), text=printable(text))


def notices(said: Sequence[str]) -> str:
    """The first notice, and how many more there are."""
    if not said:
        return ""
    more = len(said) - 1
    if not more:
        return printable(said[0])
    return counted(
        "{first} (+{n} more notice: ?)", "{first} (+{n} more notices: ?)", more, first=printable(said[0])
    )


def unexpected(worker: Worker[object]) -> str:
    """The sentence for a failure that nobody foresaw."""
    error = worker.error
    return _("Something unexpected went wrong ({step}): {kind}: {error}").format(
        step=worker.group, kind=type(error).__name__, error=printable(str(error))
    )
