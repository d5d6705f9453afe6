"""Small pictures of numbers, as text."""

from collections.abc import Sequence

from prof_tui.words import glyphs


def groups(number: int, cells: int) -> list[range]:
    """The places of ``number`` values that each of ``cells`` cells stands for, in order."""
    return [range(cell * number // cells, (cell + 1) * number // cells) for cell in range(cells)]


def sparkline(values: Sequence[float | None], width: int, *, top: float | None = None) -> str:
    """One block per value, or per group of neighbours when there are more than ``width``.

    Heights go from 0 to ``top``, by default the largest value; a group is as high as its largest, so no
    peak is lost.  None is a gap: blank, while 0 is the lowest block.
    """
    cells = min(width, len(values))
    found = ([values[place] for place in group] for group in groups(len(values), cells))
    peaks = [max((value for value in group if value is not None), default=None) for group in found]
    if top is None:
        top = max((peak for peak in peaks if peak is not None), default=0)
    return "".join(" " if peak is None else _block(peak, top) for peak in peaks)


def bar(value: float, whole: float, width: int) -> str:
    """``value`` of ``whole`` as ``width`` cells; what is more than nothing gets at least one cell."""
    full = round(width * value / whole) if whole > 0 else 0
    full = min(max(full, 1 if value > 0 and whole > 0 else 0), width)
    return glyphs().bar * full + glyphs().bar_rest * (width - full)


def stacked_bar(parts: Sequence[int], width: int) -> list[int]:
    """Cells for each part, in proportion, that add up to exactly ``width`` (largest remainder).

    Negative parts count as 0; with nothing to show every part gets 0.
    """
    parts = [max(part, 0) for part in parts]
    total = sum(parts)
    if not total:
        return [0] * len(parts)
    widths = [part * width // total for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda place: -(parts[place] * width % total))
    for place in by_remainder[: width - sum(widths)]:
        widths[place] += 1
    return widths


def _block(value: float, top: float) -> str:
    blocks = glyphs().blocks
    if value <= 0 or top <= 0:
        return blocks[0]
    return blocks[min(int(value * len(blocks) / top), len(blocks) - 1)]
