"""The made-up capture that ``prof-tui demo`` opens, written where it harms nothing."""

from pathlib import Path

from prof_tui.data.writing.new_files import inside_capture
from prof_tui.demo.write import Layout, demo_run, write_capture
from prof_tui.errors import UnreadableError, UsageError
from prof_tui.words import _


def write_demo(folder: Path, layout: Layout) -> Path:
    """Writes the demo into ``folder``, which must be empty or absent; the PROF directory.

    UsageError where ``folder`` is in use or inside a capture, UnreadableError when the system refuses.
    """
    if inside_capture(folder):
        text = _("{path} is inside a capture, where nothing is written: name a directory elsewhere.")
        raise UsageError(text.format(path=folder))
    try:
        return write_capture(folder, demo_run(), layout=layout)
    except OSError as error:
        text = _("The demo can't be written to {path}: {cause}.")
        raise UnreadableError(text.format(path=folder, cause=error.strerror or error)) from error
