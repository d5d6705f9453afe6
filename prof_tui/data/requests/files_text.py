"""The files of a capture as text: what ``prof-tui files`` prints."""

from collections.abc import Iterable, Iterator, Sequence

from prof_tui.data.requests.files import FileRow, FilesReport, TimelineFiles
from prof_tui.data.writing.text import aligned, widest
from prof_tui.words import _, byte_size, count, printable


def report_text(report: FilesReport, rows: Iterable[FileRow]) -> Iterator[str]:
    """The capture, a line per file, and a line per timeline that was read."""
    devices = ", ".join(map(str, report.devices)) or _("none")
    yield _("Capture: {path}\n").format(path=printable(report.capture))
    yield _("Layout: {generation}, devices: {devices}\n").format(
        generation=report.generation, devices=devices
    )
    for one in report.exports:
        text = _("Export: {stamp}, shown\n") if one.used else _("Export: {stamp}, not shown\n")
        yield text.format(stamp=one.stamp or _("without a stamp"))
    head = [_("file"), _("type"), _("device"), _("rows"), _("size"), _("status"), _("used"), ""]
    yield from _lines([head, *(_cells(row) for row in rows)], "  >>>   ")
    read = [timeline for timeline in report.timelines if timeline.events is not None]
    if read:
        head = [_("timeline"), _("device"), _("model"), _("iteration"), _("events"), _("slices")]
        head += [_("begin(us)"), _("span(us)"), _("layers")]
        yield from _lines([head, *(_timeline_cells(timeline) for timeline in read)], " >>>>>>> ")


def _lines(cells: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """An empty line and the cells below each other; ``sides`` has a ``>`` for each column at its right."""
    widths = widest(cells, [0] * len(sides))
    yield "\n"
    yield from (aligned(line, widths, [side == ">" for side in sides], None) for line in cells)


def _timeline_cells(timeline: TimelineFiles) -> list[str]:
    return [
        printable(timeline.name),
        *("" if number is None else str(number) for number in (timeline.device, timeline.model)),
        "" if timeline.iteration is None else str(timeline.iteration),
        *(count(number) for number in (timeline.events or 0, timeline.slices or 0)),
        timeline.begin_us or "",
        "" if timeline.span_us is None else f"{timeline.span_us:,.3f}",
        printable(", ".join(timeline.layers or ())),
    ]


def _cells(row: FileRow) -> list[str]:
    return [
        printable(row.name) or "-",
        printable(row.type),
        "" if row.device is None else str(row.device),
        "" if row.rows is None else count(row.rows),
        "" if row.bytes is None else byte_size(row.bytes),
        row.status,
        _("yes") if row.used else _("no"),
        printable(row.reason or row.meaning),
    ]
