"""Copy a text out of the terminal, whatever stands between it and the user's clipboard.

Inside tmux the text goes through tmux's own buffer, which passes it on; else as OSC 52, which many
terminals take up to 74 kB.  Neither tells whether it arrived, so the text is always in a file too.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.widget import Widget

from prof_tui.data.writing.new_files import folder_for_copies, free_name, write_new
from prof_tui.errors import ProfTuiError
from prof_tui.screens.working import work
from prof_tui.words import _, byte_size, printable

OSC_52_LIMIT_BYTES = 74_000

_session_file: Path | None = None


def copy(asking: Widget, text: str) -> None:
    """Copy a text, and tell the user where it is."""
    app = asking.app

    def to_terminal(copied: str) -> None:
        app.call_later(app.copy_to_clipboard, copied)

    say = partial(app.notify, markup=False)
    work(app, "copy", lambda: copy_text(text, to_terminal), say, exclusive=False)


def copy_text(text: str, to_terminal: Callable[[str], None]) -> str:
    """Copy ``text``; ``to_terminal`` sends it as OSC 52.  The sentence that says where it is now."""
    where = _through_tmux(text) or _through_terminal(text, to_terminal)
    try:
        where = [*where, _("file {path}").format(path=_to_file(text))]
    except ProfTuiError as error:
        where = [*where, str(error)]
    shown = printable(text if len(text) <= 60 else text[:60] + "…")
    return _("Copied {size}: {text} ({where})").format(
        size=byte_size(len(text.encode("utf-8", "replace"))), text=shown, where=", ".join(where)
    )


def _through_tmux(text: str) -> list[str]:
    if not os.environ.get("TMUX") or not shutil.which("tmux"):
        return []
    command = ["tmux", "load-buffer", "-w", "-"]
    try:
        subprocess.run(
            command, input=text.encode("utf-8", "replace"), check=True, timeout=5, capture_output=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return [_("tmux buffer")]


def _through_terminal(text: str, to_terminal: Callable[[str], None]) -> list[str]:
    if len(text.encode("utf-8", "replace")) > OSC_52_LIMIT_BYTES:
        return [_("too long for the terminal's clipboard")]
    to_terminal(text)
    return [_("terminal clipboard, if it takes OSC 52")]


def _to_file(text: str) -> Path:
    """This session's copy file with the text; only the file that this session made is written over."""
    global _session_file
    if _session_file is None:
        path = free_name(folder_for_copies(), "prof-tui-copy", "txt")
        write_new(path, [text])
        _session_file = path
    else:
        try:
            _session_file.write_text(text, "utf-8", "replace")
        except OSError:
            _session_file = None
            return _to_file(text)
    return _session_file
