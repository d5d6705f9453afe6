"""The run that ``prof-tui demo`` shows: a small training run whose faults are known."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from random import Random

from prof_tui.demo.run import (
    BEGIN_NS,
    BOOT_NS,
    COMMUNICATION,
    COMMUNICATION_STREAM,
    MAIN_MODEL,
    NO_MODEL,
    OUTSIDE,
    Facts,
    Op,
    Run,
    Step,
)

INIT_MODEL = 1
FEWEST_ITERATIONS = 6

# Busy shares of the pipes by kind of work, in thousandths: none is saturated unless the work fills it.
_CUBE = {"mac": 640, "scalar": 180, "mte1": 390, "mte2": 710, "fixpipe": 90}
_VECTOR = {"vec": 310, "scalar": 120, "mte2": 560, "mte3": 420}
_FUSED_VECTOR = {"vec": 520, "scalar": 330, "mte2": 410, "mte3": 260}
_FULL = 880


@dataclass(frozen=True)
class _Kind:
    """One op of the network: what it is and how long it usually takes."""

    name: str
    op_type: str
    task_type: str
    usual_ns: int
    shapes: str
    dtypes: str
    out_shape: str
    stream_id: int = 2
    beside: bool = False
    """Runs beside the ops that follow, on a stream of its own."""
    fills: str = ""
    """The pipe that its work saturates; empty for none."""

    def op(self, random: Random, **place: int) -> Op:
        tensors = self.dtypes.count(";") + 1
        cube = self.task_type in ("AI_CORE", "MIX_AIC")
        vector = self.task_type in ("AI_VECTOR_CORE", "MIX_AIC")
        return Op(
            name=self.name,
            op_type=self.op_type,
            task_type=self.task_type,
            stream_id=self.stream_id,
            block_num={"AI_CPU": 1, COMMUNICATION: 0, "AI_VECTOR_CORE": 48}.get(self.task_type, 24),
            mix_block_num=48 if self.task_type == "MIX_AIC" else 0,
            input_shapes=self.shapes,
            input_dtypes=self.dtypes,
            input_formats=";".join(["ND"] * tensors) if self.shapes else "",
            output_shapes=self.out_shape,
            output_dtypes=self.dtypes.split(";")[0],
            output_formats="ND" if self.shapes else "",
            cube_pipes=self._pipes(_CUBE, random) if cube else {},
            vector_pipes=self._pipes(_FUSED_VECTOR if cube else _VECTOR, random) if vector else {},
            **place,
        )

    def _pipes(self, usual: Mapping[str, int], random: Random) -> dict[str, int]:
        shares = {pipe: _FULL if pipe == self.fills else share for pipe, share in usual.items()}
        return _jittered(shares, random)


def _jittered(pipes: Mapping[str, int], random: Random) -> dict[str, int]:
    return {pipe: share + random.randint(-20, 20) for pipe, share in pipes.items()}


def _vector(
    name: str, op_type: str, us: int, *shapes: str, dtype: str = "FLOAT16", fills: str = "mte2"
) -> _Kind:
    dtypes = ";".join([dtype] * len(shapes))
    return _Kind(name, op_type, "AI_VECTOR_CORE", us * 1000, ";".join(shapes), dtypes, shapes[0], fills=fills)


def _cube(name: str, us: int, rows: int, inner: int, columns: int, fills: str = "mac") -> _Kind:
    shapes, out_shape = f"{rows},{inner};{inner},{columns}", f"{rows},{columns}"
    return _Kind(name, "MatMulV3", "AI_CORE", us * 1000, shapes, "FLOAT16;FLOAT16", out_shape, fills=fills)


def _attention(name: str, op_type: str, us: int, fills: str = "") -> _Kind:
    shape = "2048,1,1024"
    shapes, dtypes = ";".join([shape] * 3), "FLOAT16;FLOAT16;FLOAT16"
    return _Kind(name, op_type, "MIX_AIC", us * 1000, shapes, dtypes, shape, fills=fills)


def _all_reduce(number: int, us: int, beside: bool) -> _Kind:
    name = f"hcom_allReduce__868_{number}_1"
    return _Kind(
        name, "hcom_allReduce_", COMMUNICATION, us * 1000, "", "", "", COMMUNICATION_STREAM, beside=beside
    )


def _forward_layer(layer: int) -> list[_Kind]:
    path, hidden = f"Default/network/layers-{layer}", "2048,1024"
    return [
        _vector(
            f"{path}/norm1/LayerNormV3-op{10 + layer}", "LayerNormV3", 14, hidden, "1024", "1024", fills=""
        ),
        _cube(f"{path}/attention/qkv/MatMulV3-op{20 + layer}", 96, 2048, 1024, 3072, "mte2"),
        _attention(f"{path}/attention/FlashAttentionScore-op{30 + layer}", "FlashAttentionScore", 182, "vec"),
        _vector(f"{path}/Add-op{50 + layer}", "Add", 7, hidden, hidden),
        _cube(f"{path}/ffn/up/MatMulV3-op{60 + layer}", 121, 2048, 1024, 4096),
        _vector(f"{path}/ffn/Gelu-op{70 + layer}", "Gelu", 19, "2048,4096", fills="vec"),
        _cube(f"{path}/ffn/down/MatMulV3-op{80 + layer}", 118, 2048, 4096, 1024),
    ]


def _backward_layer(layer: int) -> list[_Kind]:
    path = f"Gradients/Default/network/layers-{layer}"
    grad = f"{path}/attention/gradFlashAttentionScore/FlashAttentionScoreGrad-op{140 + layer}"
    return [
        _cube(f"{path}/ffn/gradMatMul/MatMulV3-op{110 + layer}", 236, 4096, 2048, 1024),
        _vector(
            f"{path}/ffn/gradGelu/GeluGrad-op{120 + layer}", "GeluGrad", 27, *["2048,4096"] * 2, fills="vec"
        ),
        _cube(f"{path}/ffn/gradMatMul/MatMulV3-op{130 + layer}", 229, 1024, 2048, 4096),
        _attention(grad, "FlashAttentionScoreGrad", 331),
        _cube(f"{path}/attention/gradMatMul/MatMulV3-op{150 + layer}", 187, 3072, 2048, 1024, ""),
        _all_reduce(layer, 240, beside=True),
    ]


def _adam(layer: int) -> _Kind:
    name, shape = f"Default/optimizer-AdamW/ApplyAdamW-op{200 + layer}", "1024,4096"
    return _vector(name, "ApplyAdamW", 41, shape, shape, dtype="FLOAT")


_HEAD = "Default/network"
_SLOW_NAME = f"{_HEAD}/layers-1/ffn/down/MatMulV3-op81"
_AI_CPU = (
    _Kind(f"{_HEAD}/input/Unique-op1", "Unique", "AI_CPU", 134_000, "4096", "INT64", "4096", stream_id=4),
    _Kind(f"{_HEAD}/loss/NonZero-op92", "NonZero", "AI_CPU", 57_000, "4096", "INT64", "4096,1", stream_id=4),
)
_EMBEDDING = _Kind(
    name=f"{_HEAD}/input/GatherV2-op2",
    op_type="GatherV2",
    task_type="AI_VECTOR_CORE",
    usual_ns=23_000,
    shapes="32000,1024;2048",
    dtypes="FLOAT16;INT32",
    out_shape="2048,1024",
    fills="scalar",
)
_MASK = _Kind(
    name=f"{_HEAD}/mask/Cast-op3",
    op_type="Cast",
    task_type="AI_VECTOR_CORE",
    usual_ns=9_000,
    shapes="2048,2048",
    dtypes="BOOL",
    out_shape="2048,2048",
    stream_id=3,
    beside=True,
    fills="mte3",
)
_FORWARD_BACKWARD = [
    _AI_CPU[0],
    _EMBEDDING,
    _MASK,
    *(kind for layer in range(3) for kind in _forward_layer(layer)),
    _cube(f"{_HEAD}/head/MatMulV3-op90", 402, 2048, 1024, 32000),
    _AI_CPU[1],
    _vector(f"{_HEAD}/loss/ReduceSum-op93", "ReduceSum", 11, "2048,32000"),
    *(kind for layer in (2, 1, 0) for kind in _backward_layer(layer)),
]
_UPDATE = [
    _all_reduce(3, 165, beside=False),
    *(_adam(layer) for layer in range(3)),
]
_ASSIGN = _vector("Default/AssignInit-op1", "Assign", 640, "32000,1024", "32000,1024")
_ZEROS = _vector("aclnnInplaceZero_ZerosLikeAiCore_ZerosLike", "ZerosLike", 6, "2048,2048", fills="mte3")

_STEADY_DATA_AUG_NS = 180_000
_FIRST_DATA_AUG_NS = 35_000_000
_LAUNCH_NS = 6_000
"""From the start of an iteration to FP Start (formats.md 2.1)."""
_HOST_READS_NS = 65_000
"""The host reads what an AI CPU op found before it launches the next op."""
_SLOW_FACTOR, _STALL_FACTOR = 20, 50


@dataclass(frozen=True)
class _Plan:
    """What an iteration has to suffer."""

    data_aug_ns: int | None
    stretch: float = 1
    """How much longer than usual every op takes."""
    slow_op_name: str = ""

    def duration_ns(self, kind: _Kind, random: Random) -> int:
        factor = _SLOW_FACTOR if kind.name == self.slow_op_name else self.stretch
        return round(kind.usual_ns * factor * random.uniform(0.97, 1.03))


class _Device:
    """Lets one device run op after op; the clock only goes forward."""

    def __init__(self, device: int) -> None:
        self.device = device
        self.random = Random(device)
        self.now_ns = BEGIN_NS + device * 977_003
        self.ops: list[Op] = []
        self.steps: list[Step] = []
        self._next_task_id: defaultdict[int, int] = defaultdict(int)

    def run(self, kinds: Iterable[_Kind], model_id: int, iteration: int, plan: _Plan) -> None:
        """Runs the kinds of work from now on, until the last of them has ended."""
        latest_ns = self.now_ns
        for kind in kinds:
            op = kind.op(
                self.random,
                device=self.device,
                model_id=model_id,
                iteration=iteration,
                task_id=self._next_task_id[kind.stream_id] % 65536,
                start_ns=self.now_ns + self.random.randint(300, 1900),
                duration_ns=plan.duration_ns(kind, self.random),
            )
            self._next_task_id[kind.stream_id] += 1
            self.ops.append(op)
            latest_ns = max(latest_ns, op.end_ns)
            if not kind.beside:
                self.now_ns = op.end_ns + (_HOST_READS_NS if op.task_type == "AI_CPU" else 0)
        self.now_ns = max(latest_ns, self.now_ns)

    def iterate(self, model_id: int, iteration: int, plan: _Plan) -> None:
        """One iteration that begins to compute ``plan.data_aug_ns`` after the last one."""
        self.now_ns += plan.data_aug_ns or 0
        fp_start_ns, first_op = self.now_ns, len(self.ops)
        compute, update = ([_ASSIGN], []) if model_id == INIT_MODEL else (_FORWARD_BACKWARD, _UPDATE)
        self.run(compute, model_id, iteration, plan)
        bp_end_ns = self.now_ns
        self.run(update, model_id, iteration, plan)
        self.now_ns += 8_000
        reduces = (
            (op.start_ns, op.duration_ns) for op in self.ops[first_op:] if op.task_type == COMMUNICATION
        )
        step = Step(
            device=self.device,
            model_id=model_id,
            iteration_id=iteration,
            fp_start_ns=fp_start_ns,
            bp_end_ns=bp_end_ns,
            iteration_end_ns=self.now_ns,
            iteration_time_ns=self.now_ns - fp_start_ns + _LAUNCH_NS,
            data_aug_bound_ns=plan.data_aug_ns,
            reduces=tuple(reduces),
        )
        self.steps.append(step)

    def run_in_the_gap(self) -> None:
        """A task of no model that takes no time from what follows."""
        gap_begin_ns = self.now_ns
        self.run([_ZEROS], NO_MODEL, OUTSIDE, _Plan(None))
        self.now_ns = gap_begin_ns


def _facts(iterations: int) -> Facts:
    return Facts(
        main_model=MAIN_MODEL,
        init_model=INIT_MODEL,
        warm_up_iterations=(1, 2),
        stalled_iteration=iterations * 2 // 3,
        slow_iteration=max(3, iterations // 2 - 1),
        slow_op_name=_SLOW_NAME,
        slow_factor=_SLOW_FACTOR,
        stall_factor=_STALL_FACTOR,
        ai_cpu_op_names=tuple(kind.name for kind in _AI_CPU),
        outside_op_name=_ZEROS.name,
    )


def _plan(iteration: int, facts: Facts, random: Random) -> _Plan:
    steady_ns = _STEADY_DATA_AUG_NS + random.randint(-8_000, 8_000)
    planted = {
        1: _Plan(_FIRST_DATA_AUG_NS, stretch=2.5),
        2: _Plan(steady_ns, stretch=1.15),
        facts.stalled_iteration: _Plan(_STEADY_DATA_AUG_NS * _STALL_FACTOR),
        facts.slow_iteration: _Plan(steady_ns, slow_op_name=_SLOW_NAME),
    }
    return planted.get(iteration, _Plan(steady_ns))


def _run_device(number: int, iterations: int, facts: Facts) -> _Device:
    device = _Device(number)
    device.iterate(INIT_MODEL, 1, _Plan(None))
    device.iterate(INIT_MODEL, 2, _Plan(2_000_000))
    for iteration in range(1, iterations + 1):
        if iteration == facts.stalled_iteration:
            device.run_in_the_gap()
        device.iterate(MAIN_MODEL, iteration, _plan(iteration, facts, device.random))
    return device


def demo_run(*, devices: int = 1, iterations: int = 12) -> Run:
    """The run of ``prof-tui demo``: always the same one; ``Run.facts`` says what is in it.

    An initialisation model of two iterations, then a training model of ``iterations`` (6 or more): the
    first with a long Data Aug Bound and slow ops, the second a little long, one stalled before it begins, one
    with one slow op; a task of no model in the stall. ValueError for fewer.
    """
    if iterations < FEWEST_ITERATIONS:
        raise ValueError(f"a demo needs {FEWEST_ITERATIONS} iterations or more, not {iterations}")
    facts = _facts(iterations)
    ran = [_run_device(number, iterations, facts) for number in range(devices)]
    ops = sorted((op for device in ran for op in device.ops), key=attrgetter("device", "start_ns"))
    steps = tuple(step for device in ran for step in device.steps)
    return Run(tuple(ops), steps, BOOT_NS, facts)
