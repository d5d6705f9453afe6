"""The table of columns: every header spelling of every generation, with kind and meaning.

Sources: the header lists of msprof's exporter over time and the vendor's reference of the exported
files (formats.md sections 2, 3.1 to 3.3).
"""

import difflib
import re
from collections.abc import Sequence
from functools import cache, partial

from prof_tui.data.capture.content import spelling
from prof_tui.data.tables.columns import Column, ColumnSpec, Group, Kind, base_header, unit_of
from prof_tui.errors import UsageError
from prof_tui.words import _


def _spec(id_: str, kind: Kind, headers: str, meaning: str, group: Group) -> ColumnSpec:
    """``headers``: all spellings, newest first, with `` | `` between them."""
    return ColumnSpec(id_, kind, tuple(headers.split(" | ")), meaning, group)


_identity = partial(_spec, group="identity")
_time = partial(_spec, group="time")
_shapes = partial(_spec, group="shapes")
_pipes = partial(_spec, group="pipes")
_other = partial(_spec, group="other")

IDENTITY = (
    _identity("device_id", "int", "Device_id | device", _("The device (NPU) that the row belongs to.")),
    _identity("model_name", "text", "Model Name", _("The model (graph) that the operator belongs to.")),
    _identity(
        "model_id",
        "int",
        "Model ID",
        _("The model (graph) that the row belongs to; 4294967295 or -1 means no model."),
    ),
    _identity("task_id", "int", "Task ID | Task Id | task_id", _("The task's number on its stream.")),
    _identity("stream_id", "int", "Stream ID | Stream Id | stream_id", _("The stream that the task ran on.")),
    _identity("infer_id", "int", "Infer ID", _("The iteration of the model that the operator ran in.")),
    _identity("iteration", "int", "iteration", _("The iteration, known from the file's name.")),
    _identity("op_name", "text", "Op Name | OP Name", _("The operator's name in the graph.")),
    _identity("op_type", "text", "OP Type", _("The operator's type, such as MatMulV3.")),
    _identity(
        "op_state",
        "text",
        "OP State",
        _("Whether the operator's shape is known before it runs: static or dynamic."),
    ),
    _identity(
        "task_type",
        "text",
        "Task Type",
        _("The kind of core that ran the task: AI_CORE, AI_VECTOR_CORE, MIX_AIC, AI_CPU, …"),
    ),
    _identity(
        "core_type",
        "text",
        "Core Type",
        _("The kind of core that ran the operators of this type; op summary calls it Task Type."),
    ),
    _identity("kernel_name", "text", "kernel_name", _("The kernel's name; N/A for what is no computation.")),
    _identity(
        "kernel_type", "text", "kernel_type", _("The kind of task, such as KERNEL_AICORE or EVENT_WAIT.")
    ),
    _identity("context_id", "text", "Context ID", _("The sub-task's context; N/A unless the task has some.")),
    _identity(
        "level",
        "text",
        "Level",
        _("The software layer that was called: acl, model, node, communication, runtime."),
    ),
    _identity("api_name", "text", "API Name | API", _("The host function that was called.")),
)

TIMES = (
    _time(
        "task_start",
        "time",
        "Task Start Time(us) | Task Start Time",
        _("When the task began on the device's clock."),
    ),
    _time(
        "task_duration",
        "duration",
        "Task Duration(us) | Task Duration",
        _("How long the task took: scheduling, execution and the answer at its end."),
    ),
    _time(
        "task_wait",
        "duration",
        "Task Wait Time(us) | Task Wait Time",
        _("The gap since the end of the device's task before it, over all streams; 0 where they overlap."),
    ),
    _time("task_time", "duration", "task_time(us) | task_time", _("How long the task took.")),
    _time(
        "task_started",
        "time",
        "task_start(us) | task_start(ns) | task_start",
        _("When the task began on the device's clock."),
    ),
    _time(
        "task_stopped",
        "time",
        "task_stop(us) | task_stop(ns) | task_stop",
        _("When the task ended on the device's clock."),
    ),
)

STEP_TRACE = (
    _identity("iteration_id", "int", "Iteration ID", _("The iteration's number within its model.")),
    _time(
        "fp_start",
        "time",
        "FP Start(us) | FP Start",
        _("When the iteration's forward pass began; N/A in inference."),
    ),
    _time(
        "bp_end",
        "time",
        "BP End(us) | BP End",
        _("When the iteration's backward pass ended; N/A in inference."),
    ),
    _time("iteration_end", "time", "Iteration End(us) | Iteration End", _("When the iteration ended.")),
    _time(
        "iteration_time",
        "duration",
        "Iteration Time(us) | Iteration Time",
        _("How long the iteration took, as msprof counts it: usually without Data Aug Bound."),
    ),
    _time(
        "fp_to_bp",
        "duration",
        "FP to BP Time(us) | FP to BP Time | FP_BP Time(us)",
        _("Forward and backward computing: BP End minus FP Start."),
    ),
    _time(
        "refresh",
        "duration",
        "Iteration Refresh(us) | Iteration Refresh | Grad Refresh Bound(us) | Grad Refresh Bound",
        _("The update after the backward pass: Iteration End minus BP End."),
    ),
    _time(
        "data_aug",
        "duration",
        "Data Aug Bound(us) | Data Aug Bound",
        _("The gap before it, mostly data input: FP Start minus the model's previous Iteration End."),
    ),
    _time(
        "period",
        "duration",
        "period(us)",
        _("Worked out here: Iteration End minus the previous one = Data Aug Bound + FP to BP + Refresh."),
    ),
    _identity(
        "phase",
        "text",
        "phase",
        _("Worked out here: warm-up or steady iteration of the device's main model, or another model."),
    ),
    _time("reduce_start", "time", "Reduce Start(us) | Reduce Start", _("When a gradient reduction began.")),
    _time(
        "reduce_duration",
        "duration",
        "Reduce Duration(us) | Reduce Duration",
        _("How long a gradient reduction took."),
    ),
)

STATISTICS = (
    _other("count", "int", "Count | Calls", _("How often it ran.")),
    _time("total_time", "duration", "Total Time(us)", _("The sum of its durations.")),
    _time("min_time", "duration", "Min Time(us) | Min(us)", _("The shortest of its durations.")),
    _time("avg_time", "duration", "Avg Time(us) | Avg(us)", _("The mean of its durations.")),
    _time("max_time", "duration", "Max Time(us) | Max(us)", _("The longest of its durations.")),
    _other("ratio", "decimal", "Ratio(%)", _("Its share of the device's summed operator time.")),
    _time("time", "duration", "Time(us) | Time(ns)", _("The sum of its durations.")),
    _other("variance", "decimal", "Variance", _("How much its durations vary; smaller is steadier.")),
)

SHAPES = (
    _shapes(
        "input_shapes",
        "text",
        "Input Shapes",
        _("The inputs' shapes: , between dimensions and ; between tensors."),
    ),
    _shapes("input_types", "text", "Input Data Types", _("The inputs' data types.")),
    _shapes("input_formats", "text", "Input Formats", _("The inputs' memory formats.")),
    _shapes(
        "output_shapes",
        "text",
        "Output Shapes",
        _("The outputs' shapes: , between dimensions and ; between tensors."),
    ),
    _shapes("output_types", "text", "Output Data Types", _("The outputs' data types.")),
    _shapes("output_formats", "text", "Output Formats", _("The outputs' memory formats.")),
)

BLOCKS = (
    _pipes("block_num", "int", "Block Num | Block Dim", _("How many cores the task was spread over.")),
    _pipes(
        "mix_block_num",
        "int",
        "Mix Block Num | Mix Block Dim",
        _("How many cores of the second kind a mixed task was spread over."),
    ),
    _pipes(
        "hf32",
        "text",
        "HF32 Eligible",
        _("Whether the operator's HF32 flag is on: YES or NO; N/A when collected at --task-time=l0."),
    ),
    _pipes(
        "aicore_time",
        "duration",
        "aicore_time(us) | aicore_time",
        _("How long the task computed on AI Core, without scheduling."),
    ),
    _pipes(
        "aiv_time",
        "duration",
        "aiv_time(us) | aiv_time",
        _("How long the task computed on AI Vector Core, without scheduling."),
    ),
    _pipes(
        "memory_bound",
        "decimal",
        "memory_bound",
        _("mte2_ratio over the larger of mac_ratio and vec_ratio; above 1 the task waits for memory."),
    ),
    _pipes(
        "cube_utilization",
        "decimal",
        "cube_utilization(%)",
        _("Cycles that the cube units computed, over the cycles that all of them had."),
    ),
    _pipes(
        "bound",
        "text",
        "bound",
        _(
            "Worked out here: the fullest pipe if over 0.8, else memory (memory_bound over 1), bank conflict "
            "or icache miss (over 4 %), no bound (over 20 us); find leaves it out."
        ),
    ),
)

OTHERS = (
    _other("component", "text", "Component", _("The software component that holds the memory.")),
    _time("timestamp", "time", "Timestamp(us) | Timestamp | timestamp(us)", _("When the sample was taken.")),
    _time(
        "start_time",
        "time",
        "Start Time(us) | Start Time | Start_time(us) | Start_time(ns)",
        _("When it began."),
    ),
    _time("end_time", "time", "End Time(us) | End Time | End_time(us) | End_time(ns)", _("When it ended.")),
    _time("allocation_time", "time", "Allocation Time(us)", _("When the memory was allocated.")),
    _other("hit_rate", "decimal", "Hit Rate", _("L2 cache hits over accesses.")),
    _other(
        "victim_rate", "decimal", "Victim Rate", _("L2 cache lines thrown out over accesses; may pass 1.")
    ),
)

SPECS: tuple[ColumnSpec, ...] = IDENTITY + TIMES + STEP_TRACE + STATISTICS + SHAPES + BLOCKS + OTHERS


_PIPES = {
    "mac": (
        _("How long the cube unit (mac) computed."),
        _("The share of the core's time that the cube unit (mac) computed, 0 to 1."),
    ),
    "vec": (
        _("How long the vector unit computed."),
        _("The share of the core's time that the vector unit computed, 0 to 1."),
    ),
    "scalar": (
        _("How long the scalar unit computed."),
        _("The share of the core's time that the scalar unit computed, 0 to 1."),
    ),
    "mte1": (
        _("How long MTE1 moved data from L1 to L0."),
        _("The share of the core's time that MTE1 moved data from L1 to L0, 0 to 1."),
    ),
    "mte2": (
        _("How long MTE2 moved data from memory into the core."),
        _("The share of the core's time that MTE2 moved data from memory into the core, 0 to 1."),
    ),
    "mte3": (
        _("How long MTE3 moved data from the core into memory."),
        _("The share of the core's time that MTE3 moved data from the core into memory, 0 to 1."),
    ),
    "fixpipe": (
        _("How long FixPipe moved results out of L0C."),
        _("The share of the core's time that FixPipe moved results out of L0C, 0 to 1."),
    ),
}
PIPE = re.compile(
    r"(?:(?:aic|aiv)_)?(mac|vec|scalar|mte1|mte2|mte3|fixpipe)(?:_exe)?_(time|ratio)(?:\(us\))?"
)
"""Which pipe was measured, and as what: of every generation (formats.md section 3.2)."""
BANK_CONFLICTS = re.compile(r"(?:ai[cv]_)?vec_bank(?:group)?_cflt_ratio")
ICACHE_MISSES = re.compile(r"(?:ai[cv]_)?icache_miss_rate")
_METRICS: tuple[tuple[re.Pattern[str], Kind, str], ...] = (
    (re.compile(r".*cycles"), "int", _("Clock cycles that the task took, over all cores.")),
    (re.compile(r".*icache_miss_rate"), "decimal", _("Instruction cache misses over reads, 0 to 1.")),
    (re.compile(r".*(ratio|rate)"), "decimal", _("A share of the core's time or accesses, 0 to 1.")),
    (re.compile(r".*\(GB/s\)"), "decimal", _("A bandwidth in GB per second.")),
)


def _made_up(header: str, kind: Kind, meaning: str, group: Group = "other") -> ColumnSpec:
    return ColumnSpec(spelling(header), kind, (header,), meaning, group)


def _pipe_spec(header: str) -> ColumnSpec | None:
    match = PIPE.fullmatch(header)
    if not match:
        return None
    pipe, what = match.groups()
    time_meaning, ratio_meaning = _PIPES[pipe]
    if what == "time":
        return _made_up(header, "duration", time_meaning, "pipes")
    return _made_up(header, "decimal", ratio_meaning, "pipes")


def _metric_spec(header: str) -> ColumnSpec | None:
    for pattern, kind, meaning in _METRICS:
        if pattern.fullmatch(header):
            return _made_up(header, kind, meaning, "pipes")
    return None


_UNIT_KINDS: dict[str, Kind] = {"us": "duration", "ns": "duration", "ms": "duration"}


def _other_spec(header: str) -> ColumnSpec:
    unit = unit_of(header)
    kind: Kind = _UNIT_KINDS.get(unit, "decimal" if unit else "text")
    meaning = _("As msprof wrote it; this column is not described here.")
    return _made_up(header, kind, meaning)


@cache
def _by_spelling() -> dict[str, ColumnSpec]:
    return {spelling(header): spec for spec in SPECS for header in spec.headers}


def is_known(header: str) -> bool:
    """Whether the table of columns has this header, in any spelling."""
    return spelling(base_header(header)) in _by_spelling()


def spec_for(header: str) -> ColumnSpec:
    """What the column with this header is; one made up from the header's form where the table has none."""
    base = base_header(header)
    known = _by_spelling().get(spelling(base))
    return known or _pipe_spec(base) or _metric_spec(base) or _other_spec(base)


def column_for(header: str, *, unit: str = "", kind: Kind | None = None, derived: bool = False) -> Column:
    """A column of an open table; ``unit`` settles what a header without one leaves open."""
    spec = spec_for(header)
    if kind and kind != spec.kind:
        spec = ColumnSpec(spec.id, kind, spec.headers, spec.meaning, spec.group)
    stated = unit_of(base_header(header))
    default = "us" if spec.kind in ("time", "duration") else ""
    return Column(header, spec, stated or unit or default, derived)


def find_column(columns: Sequence[Column], word: str) -> Column:
    """The column that ``word`` names: a header as in the file, or any generation's spelling of it.

    Raises UsageError with near names when there is none.
    """
    wanted = spelling(word)
    for column in columns:
        if spelling(column.header) == wanted or column.id == word:
            return column
    number = re.search(r" \d+$", word)
    for column in columns:
        suffix = re.search(r" \d+$", column.header)
        same_turn = (suffix.group() if suffix else "") == (number.group() if number else "")
        spellings = {spelling(header) for header in column.spec.headers}
        if same_turn and spelling(base_header(word)) in spellings:
            return column
    raise UsageError(_unknown_column(columns, word))


def _unknown_column(columns: Sequence[Column], word: str) -> str:
    by_spelling = {spelling(column.header): column.header for column in columns}
    near = difflib.get_close_matches(spelling(word), by_spelling, n=4, cutoff=0.5)
    near += [key for key in by_spelling if spelling(word) and spelling(word) in key and key not in near][:4]
    if not near:
        names = ", ".join(column.header for column in columns)
        return _("No column {word!r} in this table; it has: {names}.").format(word=word, names=names)
    names = ", ".join(repr(by_spelling[key]) for key in near)
    return _("No column {word!r} in this table; near: {names}.").format(word=word, names=names)
