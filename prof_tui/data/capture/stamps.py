"""Which stamped files belong to one export (design.md, "Which files make one export")."""

from collections.abc import Hashable, Iterable

from prof_tui.data.capture.listing import ExportFile


def split_exports(files: Iterable[ExportFile]) -> list[list[ExportFile]]:
    """The stamped ones among ``files``, one list per export, oldest export first.

    Files follow in stamp order until one comes a second time; the cut is at the largest gap between
    the two, at the later one of equals. The stamps of one export may be seconds apart (formats.md 1.1).
    """
    ordered = sorted(
        (file for file in files if file.name.stamp), key=lambda file: (_stamp(file), file.path.name)
    )
    exports: list[list[ExportFile]] = []
    seen: dict[Hashable, int] = {}
    start = 0
    for place, file in enumerate(ordered):
        before = seen.get(_identity(file), -1)
        if before >= start:
            cut = _largest_gap(ordered, before, place)
            exports.append(ordered[start:cut])
            start = cut
        seen[_identity(file)] = place
    return [*exports, ordered[start:]] if ordered else []


def _identity(file: ExportFile) -> Hashable:
    """What one export writes once; a slice without number is its first."""
    inner = (file.device, file.model, file.iteration, file.name.slice or 0)
    return (file.merged, file.role, file.name.type, *inner)


def _largest_gap(ordered: list[ExportFile], before: int, place: int) -> int:
    """The place after ``before``, up to ``place``, whose stamp is furthest from the one ahead of it."""

    def gap(later: int) -> tuple[int, int]:
        return _seconds(ordered[later]) - _seconds(ordered[later - 1]), later

    return max(range(before + 1, place + 1), key=gap)


def _stamp(file: ExportFile) -> str:
    return file.name.stamp or ""


def _seconds(file: ExportFile) -> int:
    """A stamp as seconds, every month taken as 31 days: enough to compare gaps, for any 14 digits."""
    stamp = _stamp(file)
    year, month, day = int(stamp[:4]), int(stamp[4:6]), int(stamp[6:8])
    hour, minute, second = int(stamp[8:10]), int(stamp[10:12]), int(stamp[12:])
    return ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second
