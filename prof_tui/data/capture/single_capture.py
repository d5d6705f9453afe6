"""The one capture that a command works on: there is nobody to pick among several."""

from pathlib import Path

from prof_tui.data.capture.find import CaptureSummary, Found, describe, find_captures
from prof_tui.errors import NothingToOpenError
from prof_tui.words import _, count


def single_capture(path: Path) -> Found:
    """What ``path`` means, with exactly one capture.

    NothingToOpenError where there is none, or several: then with a line for each; UnreadableError when the
    system refuses.
    """
    found = find_captures(path)
    if len(found.captures) > 1:
        text = _("There are {count} captures in {path}; give one of them:")
        lines = [text.format(count=count(len(found.captures)), path=path)]
        lines += [_line(describe(capture)) for capture in found.captures]
        raise NothingToOpenError("\n".join([*lines, *found.notices]))
    return found


def _line(summary: CaptureSummary) -> str:
    said = [summary.date.strftime("%Y-%m-%d %H:%M:%S")] if summary.date else []
    if summary.devices:
        said.append(_("device {devices}").format(devices=", ".join(map(str, summary.devices))))
    if not summary.exported:
        said.append(_("not exported"))
    return f"  {summary.path}  {'; '.join(said)}".rstrip()
