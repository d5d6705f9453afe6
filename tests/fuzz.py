"""Damages captures at random and looks at each with every command and pane.

    python tests/fuzz.py [--minutes 30 | --inputs 100] [--seed 1] [--first 0]

Prints each fault with what repeats it, and a log at the end; exit status 1 where there was one.  It may
not use more than 2 GB, and nothing may take more than 10 s of processor time.
"""

import argparse
import asyncio
import faulthandler
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))

import textual.app

from tests.helpers.driven_app import take_turns
from tests.helpers.fuzzing.captures import Damaged, damage, sound_captures
from tests.helpers.fuzzing.judging import (
    Fault,
    command_lines,
    faults_of,
    look_at_command,
    look_at_panes,
    look_at_rows,
)

_MOST_BYTES = 2_000_000_000
_STUCK_S = 300
"""What takes so long is stuck where no signal reaches it."""
_PANES_EVERY, _COMMANDS_EVERY = 6, 3
"""Looks that take long are spared some inputs; commands only those whose rows are counted."""


def main() -> int:
    """Runs until the time or the number of inputs is reached."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--inputs", type=int, default=sys.maxsize)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))
    # As in the tests: Textual's own waits for an idle processor.
    with patch.object(textual.app, "wait_for_idle", take_turns):
        return _fuzz(options)


def _fuzz(options: argparse.Namespace) -> int:
    folder = Path(tempfile.mkdtemp(prefix="prof-tui-fuzz-"))
    try:
        return _run(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(options: argparse.Namespace, folder: Path) -> int:
    sound = sound_captures(folder)
    began, number = time.monotonic(), options.first
    tried: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    while number < options.first + options.inputs and time.monotonic() - began < 60 * options.minutes:
        random = Random(f"{options.seed} {number}")
        found = damage(random, random.choice(sound), folder / "damaged")
        faulthandler.dump_traceback_later(_STUCK_S, exit=True)
        for fault in _look(random, found, number, tried):
            _print(f"python tests/fuzz.py --seed {options.seed} --first {number} --inputs 1")
            _print(f"  {'; '.join(found.changes)}\n  {fault.where}: {fault.what}")
            faults[fault.what] += 1
        faulthandler.cancel_dump_traceback_later()
        shutil.rmtree(folder / "damaged")
        number += 1
    seconds = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    looks = ", ".join(f"{count} {what}" for what, count in sorted(tried.items()))
    _print(f"{number - options.first} inputs in {seconds:.0f} s, at most {peak:.0f} MB: {looks}")
    _print(f"{len(faults)} kinds of faults, {faults.total()} in all")
    return 1 if faults else 0


def _look(random: Random, found: Damaged, number: int, tried: Counter[str]) -> Iterator[Fault]:
    """Everything that is to be seen of one capture, counted in ``tried``."""
    folder = found.path.parent
    if not found.rows or number % _COMMANDS_EVERY == 0:
        for words in command_lines(random, found.path, folder / "out.json"):
            tried["commands"] += 1
            yield from faults_of(partial(look_at_command, words, folder), " ".join(words))
    if found.rows:
        tried["counts of rows"] += 1
        yield from faults_of(lambda: look_at_rows(found), "rows")
    if number % _PANES_EVERY == 0:
        tried["runs of all panes"] += 1
        yield from faults_of(lambda: iter(asyncio.run(look_at_panes(random, found.path))), "panes")


def _print(text: str) -> None:
    print(text.encode("ascii", "backslashreplace").decode(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
