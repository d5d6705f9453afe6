"""Drives the real application in a test: keys in, and on only when nothing is left to be done."""

from textual.pilot import Pilot
from textual.worker import WorkerCancelled


async def settled(pilot: Pilot[None]) -> None:
    """Returns when no worker runs and all that the workers said is on the screen."""
    await pilot.pause()
    while workers := list(pilot.app.workers):
        for worker in workers:
            try:
                await worker.wait()
            except WorkerCancelled:
                continue
        await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Presses keys one after the other, each once the one before has had all its effects."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)
