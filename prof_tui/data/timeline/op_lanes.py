"""Which lanes hold the ops of a device."""

from __future__ import annotations

import re

from prof_tui.data.timeline.model import TraceIndex

_PLANE = re.compile(r"Plane \d+")


def communication_op_lanes(index: TraceIndex, device: int | None) -> list[int]:
    """Lanes with a device's communication ops, without the planes that hold their tasks."""
    return [
        number
        for number, lane in enumerate(index.lanes)
        if lane.is_communication
        and not lane.is_counter
        and lane.device == device
        and not _PLANE.match(lane.thread)
    ]


def op_lanes(index: TraceIndex, device: int | None) -> list[int]:
    """Streams and communication ops of a device, and of lanes that don't say which; None: of all."""
    devices = {lane.device for lane in index.lanes} if device is None else {device, None}
    lanes = [number for number, lane in enumerate(index.lanes) if lane.is_stream and lane.device in devices]
    for own in devices:
        lanes += communication_op_lanes(index, own)
    return sorted(lanes)
