"""Why a path opens no export and why a file can't be read: one sentence each, and what helps."""

import os
import shlex
import shutil
import stat
from pathlib import Path

from prof_tui.data.capture.content import first_line, foreign_content
from prof_tui.data.capture.layout import MERGED, database_names, device_numbers
from prof_tui.errors import NothingToOpenError, UnreadableError
from prof_tui.words import _, cut

_EXPORT = "msprof --export=on --output={path}"
_MOST_CELLS = 60
"""Of a line that is quoted in a sentence."""
_TOOLKIT = "/usr/local/Ascend/ascend-toolkit"


def unreachable(path: Path, error: OSError) -> NothingToOpenError | UnreadableError:
    """For a path that can't be looked at: missing (exit 2) or refused by the system (exit 1)."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        if path.is_symlink():
            return NothingToOpenError(_broken_link(str(path), path))
        return NothingToOpenError(_("No such file or directory: {path}").format(path=path))
    return UnreadableError(unreadable(error.filename or str(path), error))


def unreadable_file(path: Path, error: OSError) -> str:
    """For a file that the system does not give out: its name, why, and whom to ask where that is known."""
    try:
        status = path.lstat()
        if path.is_symlink():
            status = path.stat()
    except FileNotFoundError:
        return _broken_link(path.name, path) if path.is_symlink() else unreadable(path.name, error)
    except OSError:
        return unreadable(path.name, error)
    if not isinstance(error, PermissionError):
        return unreadable(path.name, error)
    text = _("{file} can't be read: {cause} (mode {mode}, owner {owner}); ask its owner for read permission.")
    mode = f"{stat.S_IMODE(status.st_mode):04o}"
    return text.format(file=path.name, cause=error.strerror, mode=mode, owner=_owner(path, status))


def unreadable(name: str, error: OSError) -> str:
    """What the system says, where there is no more to say."""
    return _("{name} can't be read: {cause}.").format(name=name, cause=error.strerror)


def _broken_link(name: str, path: Path) -> str:
    return _("{name} is a broken link: {target} doesn't exist.").format(name=name, target=os.readlink(path))


def _owner(path: Path, status: os.stat_result) -> str:
    try:
        return path.owner()
    except (KeyError, OSError):
        return str(status.st_uid)


def nothing_found(path: Path) -> NothingToOpenError:
    """Neither a capture nor inside one, and none below."""
    text = _(
        "No capture in {path}: looked for PROF_* directories, {merged}, device_N and host there, "
        "in the directories above and three levels below."
    )
    return NothingToOpenError(text.format(path=path, merged=MERGED))


def too_many_entries(path: Path, most: str) -> NothingToOpenError:
    """The search ended before it found anything."""
    text = _("No capture among the first {count} entries below {path}: give the PROF directory itself.")
    return NothingToOpenError(text.format(path=path, count=most))


def operator_tuning(path: Path) -> NothingToOpenError:
    """Output of the sister tool that tunes one operator."""
    text = _(
        "{path} is output of msprof op (operator tuning), whose tables are others; "
        "prof-tui reads PROF_* directories, which msprof writes."
    )
    return NothingToOpenError(text.format(path=path))


def no_export(file: Path, head: bytes) -> NothingToOpenError:
    """A file outside of any capture that is neither table nor timeline; ``head``: its first bytes."""
    if what := foreign_content(head):
        return NothingToOpenError(_("{file} is no exported table but {what}.").format(file=file, what=what))
    if not file.name.lower().endswith((".csv", ".json")):
        return nothing_found(file)
    text = _("{file} is no exported table or timeline: {line!r} are the columns of no known type.")
    return NothingToOpenError(text.format(file=file, line=cut(first_line(head), _MOST_CELLS)))


def framework_output(path: Path) -> NothingToOpenError:
    """Output of torch_npu or MindSpore without msprof's own directory (formats.md 6)."""
    text = _(
        "{path} is output of torch_npu or MindSpore; prof-tui reads the PROF_* directory that usually stands "
        "beside ASCEND_PROFILER_OUTPUT, and there is none."
    )
    return NothingToOpenError(text.format(path=path))


def not_exported(capture: Path) -> NothingToOpenError:
    """Collected, and never exported as text: raw data only, or a database only."""
    names = os.listdir(capture)
    databases = database_names(names)
    command = _EXPORT.format(path=shlex.quote(str(capture)))
    if databases:
        text = _("{path} was exported as a database only ({name}); prof-tui reads the text export, so run:")
        sentence = text.format(path=capture, name=databases[-1])
        return NothingToOpenError(_add_command(sentence, f"{command} --type=text"))
    parts = [f"device_{device}" for device in device_numbers(names)] or ["host"]
    text = _("{path} was collected but not exported: raw data of {parts} is there, no exported tables; run:")
    return NothingToOpenError(_add_command(text.format(path=capture, parts=", ".join(parts)), command))


def _add_command(sentence: str, command: str) -> str:
    lines = [sentence, f"  {command}"]
    if shutil.which("msprof") is None:
        text = _("msprof is not on PATH here; it usually is {program} after `source {script}`.")
        program = f"{_TOOLKIT}/latest/tools/profiler/bin/msprof"
        lines.append(text.format(program=program, script=f"{_TOOLKIT}/set_env.sh"))
    return "\n".join(lines)
