"""What a run was: when, where and how it was collected, and how it was exported."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from prof_tui.data.capture.export import Export
from prof_tui.data.capture.layout import capture_date
from prof_tui.data.capture.notes import Notes, noted_number, noted_text, read_device_notes, read_notes
from prof_tui.data.run.missing import Missing, missing_tables
from prof_tui.data.run.notes import Collection, DeviceFacts, collection, device_facts

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


@dataclass(frozen=True)
class RunFacts:
    """Empty texts and None stand for what the capture doesn't say."""

    capture: str
    """Its name, or the part of its path that tells it from its neighbours."""
    collected: datetime | None
    """In the server's local time, from the name."""
    collected_ns: int | None
    """How long the collection lasted."""
    host: str
    program: str
    devices: tuple[DeviceFacts, ...]
    collection: Collection | None
    generation: str
    stamp: str
    """Stamp of the export that is shown; empty for files without one."""
    other_stamps: tuple[str, ...]
    """Stamps of exports that are there and not shown."""
    files: int
    """Tables and timelines that are read."""
    tables: tuple[str, ...]
    timelines: tuple[str, ...]
    missing: tuple[Missing, ...]


def run_facts(capture: OpenCapture) -> RunFacts:
    """What is known before any table is opened; UnreadableError when the directory can't be listed."""
    export, path = capture.export, capture.path
    host = read_notes(path / "host" / "info.json")
    infos = {device: read_device_notes(path, device, "info.json") for device in export.devices}
    first = next((notes for notes in infos.values() if notes), host)
    samples = [read_device_notes(path, device, "sample.json") for device in export.devices]
    samples.append(read_notes(path / "host" / "sample.json"))
    sample: Notes = next((notes for notes in samples if notes), {})
    collected = collection(sample)
    shown = [each for each in (*export.tables, *export.timelines) if each.files]
    return RunFacts(
        capture=capture.name,
        collected=capture_date(path),
        collected_ns=collected_ns(export),
        host=noted_text(host, "hostname") or noted_text(first, "hostname"),
        program=noted_text(sample, "app") or noted_text(first, "pid_name") or noted_text(host, "pid_name"),
        devices=tuple(device_facts(notes, device) for device, notes in infos.items()),
        collection=collected,
        generation=export.generation,
        stamp=next((one.stamp for one in export.exports if one.used and one.stamp), ""),
        other_stamps=tuple(one.stamp or "" for one in export.exports if not one.used),
        files=sum(len(each.files) for each in shown),
        tables=tuple(table.name for table in export.tables if table.files),
        timelines=tuple(dict.fromkeys(timeline.name for timeline in export.timelines if timeline.files)),
        missing=missing_tables(export, collected),
    )


def collected_ns(export: Export) -> int | None:
    """How long the collection lasted, by the clock of the first side that noted both ends."""
    path = export.capture
    sides = [(path / f"device_{device}", f".{device}") for device in export.devices] + [(path / "host", "")]
    for folder, suffix in sides:
        begin = noted_number(read_notes(folder / f"start_info{suffix}"), "clockMonotonicRaw")
        end = noted_number(read_notes(folder / f"end_info{suffix}"), "clockMonotonicRaw")
        if begin is not None and end is not None and end > begin:
            return end - begin
    return None
