"""What ``prof-tui help TOPIC`` prints: each list from the table that the program itself works with."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prof_tui.data.writing.text import aligned, widest, wrapped
from prof_tui.words import _, cell_width

if TYPE_CHECKING:
    from textual.binding import Binding, BindingType

_WIDTH = 80
"""Cells of a line where no terminal says how many there are."""
_WIDEST = 34
"""Cells of a column at most, but for the last: a longer cell puts the last on a line of its own."""


@dataclass(frozen=True)
class Listing:
    """A titled table; its last column is prose, the others are names."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def help_pages(topic: str, format_: str, width: int | None = None) -> Iterator[str]:
    """The pieces of a topic's lists in ``text`` of at most ``width`` cells, or ``md``."""
    for place, listing in enumerate(TOPICS[topic]()):
        yield "\n" if place else ""
        yield from _markdown(listing) if format_ == "md" else _text(listing, width or _WIDTH)


def _text(listing: Listing, width: int) -> Iterator[str]:
    yield listing.title + "\n\n"
    lines = [listing.head, *listing.rows]
    widths = [
        min(_WIDEST, wide) for wide in widest([line[:-1] for line in lines], [0] * (len(listing.head) - 1))
    ]
    indent = " " * (sum(widths) + 2 * len(widths) + 2)
    for *names, prose in lines:
        fits = all(cell_width(name) <= wide for name, wide in zip(names, widths, strict=True))
        first = "  " + aligned(names, widths, [False] * len(widths), None).rstrip("\n")
        if fits:
            yield wrapped(prose, width, first=first + " " * (len(indent) - cell_width(first)), rest=indent)
        else:
            yield first + "\n" + wrapped(prose, width, first=indent, rest=indent)


def _markdown(listing: Listing) -> Iterator[str]:
    yield f"**{listing.title}**\n\n"
    yield "| " + " | ".join(listing.head) + " |\n|" + " --- |" * len(listing.head) + "\n"
    for name, *others in listing.rows:
        yield "| " + " | ".join(each.replace("|", "\\|") for each in (f"`{name}`", *others)) + " |\n"


# Keys


PLACES = {
    _("Everywhere"): ("screen", "app"),
    _("In the overview and on the page of a finding"): ("overview", "finding"),
    _("In tables"): ("table", "pane"),
    _("In timelines; beside a table those that it has not"): ("timeline", "timeline-pane", "iteration"),
    _("On the page of an op"): ("row",),
    _("On the page of an event"): ("event",),
    _("In dialogs and in the list of captures"): (
        *("list", "choice", "values", "columns", "prompt", "help", "legend", "picker"),
    ),
}
"""Titles of places, with the rooms that the ids of their keys begin with."""


def declared_keys() -> Iterator[list[Binding]]:
    """The keys that screens, panes and widgets declare, those of one id together."""
    from textual.dom import DOMNode

    import prof_tui

    for found in pkgutil.walk_packages(prof_tui.__path__, "prof_tui."):
        if found.name.split(".")[1] in ("widgets", "panes", "screens", "app"):
            for each in vars(importlib.import_module(found.name)).values():
                own = isinstance(each, type) and each.__module__ == found.name and issubclass(each, DOMNode)
                if own and "BINDINGS" in vars(each):
                    yield from _by_id(each.BINDINGS)


def room_of(bindings: list[Binding]) -> str:
    """The part of their id that says where keys work."""
    return str(bindings[0].id).partition(".")[0]


def _keys() -> Iterator[Listing]:
    from prof_tui.app import ProfTuiApp

    app = ProfTuiApp([])
    declared = list(declared_keys())
    for title, rooms in PLACES.items():
        rows = dict.fromkeys(
            (" ".join(map(app.get_key_display, each)), each[0].description, each[0].tooltip)
            for room in rooms
            for each in declared
            if room_of(each) == room
        )
        yield Listing(title, (_("key"), _("name"), _("what it does")), tuple(rows))


def _by_id(bindings: Iterable[BindingType]) -> Iterator[list[Binding]]:
    """One binding per key, those of one id together."""
    from textual.binding import Binding

    found: dict[str | None, list[Binding]] = {}
    for binding in Binding.make_bindings(bindings):
        found.setdefault(binding.id, []).append(binding)
    yield from found.values()


# Columns, findings, files, JSON


def _columns() -> Iterator[Listing]:
    from prof_tui.data.tables.known_columns import SPECS

    titles = {
        "identity": _("What a row is of"),
        "time": _("Times"),
        "shapes": _("Shapes, types and formats"),
        "pipes": _("Pipes and counters"),
        "other": _("Other columns"),
    }
    for group, title in titles.items():
        rows = tuple(
            (spec.headers[0], " ".join([spec.meaning, *_other_spellings(spec.headers[1:])]))
            for spec in SPECS
            if spec.group == group
        )
        yield Listing(title, (_("column"), _("meaning, and how else it is spelled")), rows)


def _other_spellings(headers: tuple[str, ...]) -> Iterator[str]:
    if headers:
        yield _("Also: {headers}.").format(headers=", ".join(headers))


def _findings() -> Iterator[Listing]:
    from prof_tui.data.findings.texts import finding_values, ids_of_rules

    values = tuple((id_, value.meaning) for id_, value in finding_values().items())
    yield Listing(_("Findings, for --fail-on ID or ID:>VALUE"), (_("ID"), _("what its VALUE is")), values)
    rules = tuple((id_, ", ".join(ids)) for id_, ids in ids_of_rules().items())
    yield Listing(_("Rules that stand for several findings"), (_("ID"), _("its findings")), rules)


def _files() -> Iterator[Listing]:
    from prof_tui.data.capture.file_types import KINDS

    for title, timeline in ((_("Tables"), False), (_("Timelines"), True)):
        rows = tuple(
            (kind.name, f"{kind.meaning} {kind.made_by}")
            for kind in KINDS.values()
            if kind.timeline == timeline
        )
        yield Listing(title, (_("file type"), _("what it holds, and what collects it")), rows)


def _json() -> Iterator[Listing]:
    from prof_tui.reference.json_shapes import SHAPES

    for command, rows in SHAPES.items():
        title = _("{command} --format json").format(command=command)
        yield Listing(title, (_("key"), _("type"), _("meaning")), rows)


TOPICS: dict[str, Callable[[], Iterator[Listing]]] = {
    "keys": _keys,
    "columns": _columns,
    "findings": _findings,
    "files": _files,
    "json": _json,
}
"""The lists of each topic, read when they are asked for."""
