"""The page of an event of a timeline, and the places that it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prof_tui.panes.pages.page import Jump, Page, Section, indent
from prof_tui.words import NOT_AVAILABLE, _, count, counted, duration, microseconds, printable

if TYPE_CHECKING:
    from prof_tui.data.pages.event import EventDetail, LinkedEvent
    from prof_tui.data.timeline.links import Links
    from prof_tui.data.timeline.model import TraceIndex


def event_page(detail: EventDetail, index: TraceIndex) -> Page:
    """What it is, when it was, its arguments letter for letter, and what can't be said of it."""
    arguments = Text("  " + printable(detail.args_problem or _("none")))
    sections = [
        Section("", (_grid(_facts(detail, index.span[0])),)),
        Section(_("Arguments"), (_grid(detail.args) if detail.args else arguments,)),
    ]
    notes = "\n".join(map(printable, _notes(detail)))
    if notes:
        sections.append(Section("", (Text(notes, style="dim"),)))
    file = index.files[int(index.events["file"][detail.event])]
    copied = (("Name", detail.name), ("Layer", detail.lane.layer), ("Lane", detail.lane.thread), *detail.args)
    return Page(
        (detail.name,),
        file.path.name,
        tuple(sections),
        "\n".join(f"{name}: {value}" for name, value in copied),
        tuple(_jumps(detail)),
    )


def _grid(rows: Iterable[tuple[str, str]]) -> Padding:
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(max_width=28, overflow="fold")
    grid.add_column(ratio=1, overflow="fold")
    for name, value in rows:
        shown = printable(value)
        grid.add_row(Text(printable(name)), Text(shown, style="dim" if shown == NOT_AVAILABLE else "bold"))
    return indent(grid)


def _facts(detail: EventDetail, begin_ns: int) -> tuple[tuple[str, str], ...]:
    lane, place = detail.lane, detail.place
    layer = f"{lane.layer} ({lane.label})" if lane.label else lane.layer
    rank = _("{duration}, rank {place} of {n} of this name").format(
        duration=duration(detail.duration_ns),
        place=count(detail.rank.place),
        n=count(detail.rank.count),
    )
    start = _("{us} us, {from_start} from the timeline's start").format(
        us=microseconds(detail.start_ns), from_start=duration(detail.start_ns - begin_ns)
    )
    if detail.from_iteration_ns is not None:
        start += ", " + _("{us} from the start of its iteration").format(
            us=duration(detail.from_iteration_ns)
        )
    iteration = _("none: it is outside, or there is no step trace")
    if place.scope.iteration is not None:
        iteration = _("{iteration} of Model ID {model} ({rule})").format(
            iteration=place.scope.iteration,
            model=NOT_AVAILABLE if place.scope.model is None else place.scope.model,
            rule=detail.rule,
        )
    return (
        (_("Name"), detail.name),
        (_("Layer"), layer),
        (_("Lane"), lane.thread),
        (_("Kind"), detail.kind),
        (_("Start"), start),
        (_("Duration"), rank),
        (_("Iteration"), iteration),
    )


def _notes(detail: EventDetail) -> Iterator[str]:
    if detail.is_invalid:
        yield _("Its duration is negative, so it is invalid: it is left out of busy time.")
    if detail.op.number is None:
        yield _("No row of op summary: {why}").format(why=detail.op.why)
    elif detail.apart:
        yield _("The same task is {apart}.").format(apart=detail.apart)
    links = detail.links
    if links.ends_without_start:
        yield counted(
            "{n} flow ends here that begins nowhere in the file.",
            "{n} flows end here that begin nowhere in the file.",
            links.ends_without_start,
        )
    if links.starts_without_end:
        yield counted(
            "{n} flow begins here that ends nowhere in the file.",
            "{n} flows begin here that end nowhere in the file.",
            links.starts_without_end,
        )
    yield from _unlisted(links, len(detail.launched_by), len(detail.launched))


def _unlisted(links: Links, launched_by: int, launched: int) -> Iterator[str]:
    left = len(links.launched_by) - launched_by + len(links.launched) - launched
    if left:
        yield _("{n} more events that it is linked with are not listed.").format(n=count(left))


def _jumps(detail: EventDetail) -> Iterator[Jump]:
    """Where the page leads: into the timeline, the row of op summary, its iteration, and along launches."""
    yield Jump("timeline", detail.event, _("In the timeline"))
    if detail.op.number is not None:
        yield Jump("op", detail.op.number, _("Its row of op summary"))
    if isinstance(detail.place.scope.iteration, int):
        number = detail.place.scope.iteration
        yield Jump("iteration", number, _("Iteration {n}").format(n=number))
    for what, others in ((_("Launched by"), detail.launched_by), (_("Launched"), detail.launched)):
        yield from (_link_jump(other, what) for other in others)


def _link_jump(other: LinkedEvent, what: str) -> Jump:
    text = _("{what} {name}, {layer} / {lane}, start {start} us, {duration} (by {means})").format(
        what=what,
        name=other.name,
        layer=other.lane.layer,
        lane=other.lane.thread,
        start=microseconds(other.start_ns),
        duration=duration(other.duration_ns),
        means=", ".join(other.means),
    )
    return Jump("event", other.event, text)
