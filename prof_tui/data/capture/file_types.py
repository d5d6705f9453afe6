"""The file types that an export may hold: what each shows and which collection option makes it.

Types after formats.md 3.3 and 4 and the exporter's own header lists; options as msprof spells them.
"""

from dataclasses import dataclass

from prof_tui.words import _


@dataclass(frozen=True)
class FileKind:
    """One file type."""

    name: str
    meaning: str
    """One sentence, for the user."""
    made_by: str
    """One sentence: the collection option without which the file is missing."""
    timeline: bool = False
    """Whether a JSON file of this type in `mindstudio_profiler_output` holds events, not rows."""
    usual: bool = False
    """Whether a usual export has it, so that its absence is worth a line."""


_TASK_TIME = _("Collected with --task-time=on (the default) or l0.")
_TASK_TIME_L1 = _("Collected with --task-time=l1 (the default); --task-time=l0 leaves it out.")
_ITERATIONS = _(
    "Written when a graph ran in iterations with --task-time=on; runs of single operators have none."
)
_API = _(
    "Collected with --ascendcl=on (the default) and --runtime-api=on; "
    "exporters before autumn 2023 write acl_statistic and runtime_api instead."
)
_ACL = _("Collected with --ascendcl=on by an exporter before autumn 2023.")
_RUNTIME = _("Collected with --runtime-api=on by an exporter before autumn 2023.")
_MODEL = _("Collected with --model-execution=on by an exporter before autumn 2023.")
_STACK = _("Collected with --runtime-api=on and --task-time=on by an exporter before autumn 2023.")
_COMMUNICATION = _("Collected with --hccl=on, or --task-time=l1, when several devices communicate.")
_AICPU = _("Collected with --aicpu=on.")
_L2 = _("Collected with --l2=on.")
_TX = _("Collected with --msproftx=on when the program calls the msproftx marks.")
_TASK_MEMORY = _("Collected with --task-memory=on.")
_SAMPLED = _("Collected with --ai-core=on --aic-mode=sample-based.")
_HARDWARE_MEMORY = _("Collected with --sys-hardware-mem=on.")
_INTERCONNECTION = _("Collected with --sys-interconnection-profiling=on.")
_IO = _("Collected with --sys-io-profiling=on.")
_DVPP = _("Collected with --dvpp-profiling=on.")
_SYSTEM = _("Collected with --sys-profiling=on, or on the host with --host-sys-usage=cpu,mem.")
_PROCESS = _("Collected with --sys-pid-profiling=on, or on the host with --host-sys-usage=cpu,mem.")
_DEVICE_CPU = _("Collected with --sys-cpu-profiling=on.")
_HOST = _("Collected with --host-sys=cpu,mem,disk,network.")
_SYSCALLS = _("Collected with --host-sys=osrt.")
_INSTRUCTIONS = _("Collected with --instr-profiling=on.")
_CHIP = _("Written by newer exporters on chips that record it.")
_ADVICE = _("Written by the exporter itself, without an option.")

_ALL = (
    FileKind("op_summary", _("One row per task of an operator, with its duration."), _TASK_TIME, usual=True),
    FileKind("op_statistic", _("Calls and time per OP Type and Core Type."), _TASK_TIME_L1, usual=True),
    FileKind(
        "step_trace",
        _("The iterations: when each began, computed, refreshed and ended."),
        _ITERATIONS,
        True,
        True,
    ),
    FileKind("msprof", _("The timeline of all layers of host and device."), _TASK_TIME, True, True),
    FileKind("task_time", _("When the task scheduler ran each task."), _TASK_TIME, usual=True),
    FileKind("api_statistic", _("Calls and time per API of the host."), _API, usual=True),
    FileKind("api", _("Calls of the host's APIs."), _API, True),
    FileKind("event", _("Events of the host's APIs."), _API, True),
    FileKind("fusion_op", _("Which operators each fused operator stands for."), _TASK_TIME_L1),
    FileKind("acl", _("Calls of AscendCL."), _ACL, True),
    FileKind("acl_statistic", _("Calls and time per AscendCL API."), _ACL),
    FileKind("runtime_api", _("Calls and time per Runtime API."), _RUNTIME, True),
    FileKind(
        "ge", _("Input, execution and output of each run of a model in the graph engine."), _MODEL, True
    ),
    FileKind("ge_op_execute", _("How the graph engine ran operators of dynamic shape."), _MODEL, True),
    FileKind(
        "ai_stack_time",
        _("Time of AscendCL, graph engine, Runtime and task scheduler together."),
        _STACK,
        True,
    ),
    FileKind("thread_group", _("AscendCL, graph engine and Runtime by thread."), _STACK, True),
    FileKind("hccl", _("Collective communication as a timeline."), _COMMUNICATION, True),
    FileKind("communication", _("Collective communication as a timeline."), _COMMUNICATION, True),
    FileKind("communication_statistic", _("Calls and time per communication operator."), _COMMUNICATION),
    FileKind("hccl_statistic", _("Calls and time per communication operator."), _COMMUNICATION),
    FileKind("communication_matrix", _("Bandwidth between each pair of ranks."), _COMMUNICATION),
    FileKind("msprof_tx", _("Marks that the program set itself with msproftx."), _TX, True),
    FileKind("pytorch_operator_view", _("Operators of PyTorch with their call stacks."), _TX),
    FileKind("task_queue", _("The queue that feeds operators to the device."), _TX, True),
    FileKind("aicpu", _("Operators of the data preparation that ran on the AI CPU."), _AICPU),
    FileKind("aicpu_mi", _("Queues of the data preparation."), _AICPU),
    FileKind("dp", _("Steps of the data augmentation."), _AICPU),
    FileKind("l2_cache", _("Hit and victim rate of the L2 cache per task."), _L2),
    FileKind("soc_pmu", _("Hit rate of the address translation per task."), _CHIP),
    FileKind("npu_mem", _("Memory of the device that the process and the device use."), _HARDWARE_MEMORY),
    FileKind("npu_module_mem", _("Memory of the device by component."), _HARDWARE_MEMORY),
    FileKind("memory_record", _("Memory that the operators of CANN hold over time."), _TASK_MEMORY),
    FileKind("operator_memory", _("Memory of each operator of CANN."), _TASK_MEMORY),
    FileKind("static_op_mem", _("Memory of each operator of a static graph."), _TASK_MEMORY),
    FileKind("ai_core_utilization", _("Metrics per AI Core."), _SAMPLED),
    FileKind("ai_vector_core_utilization", _("Metrics per AI Vector Core."), _SAMPLED),
    FileKind("hbm", _("Read and write rate of the on-chip memory."), _HARDWARE_MEMORY),
    FileKind("ddr", _("Read and write rate of the DDR memory."), _HARDWARE_MEMORY),
    FileKind("llc_read_write", _("Read and write rate of the last-level cache."), _HARDWARE_MEMORY),
    FileKind("llc_bandwidth", _("Bandwidth of the last-level cache."), _HARDWARE_MEMORY),
    FileKind("llc_aicpu", _("Last-level cache that the AI CPU uses."), _HARDWARE_MEMORY),
    FileKind("llc_ctrlcpu", _("Last-level cache that the control CPU uses."), _HARDWARE_MEMORY),
    FileKind("acc_pmu", _("Bandwidth and concurrency of the accelerators."), _HARDWARE_MEMORY),
    FileKind("stars_soc", _("Bandwidth inside the chip."), _HARDWARE_MEMORY),
    FileKind("qos", _("Bandwidth per quality-of-service class."), _CHIP),
    FileKind("hccs", _("Bandwidth of the links between devices."), _INTERCONNECTION),
    FileKind("pcie", _("Bandwidth of PCIe."), _INTERCONNECTION),
    FileKind("sio", _("Bandwidth between the dies of a chip."), _INTERCONNECTION),
    FileKind("stars_chip_trans", _("Bandwidth between chips."), _INTERCONNECTION),
    FileKind("inter_soc_transmission", _("Level of the bandwidth between chips."), _INTERCONNECTION),
    FileKind("ub", _("Bandwidth of the unified bus by port."), _CHIP),
    FileKind("nic", _("Traffic of the network card over time."), _IO),
    FileKind("roce", _("Traffic of RoCE over time."), _IO),
    FileKind("dvpp", _("Use of the engines for images and video."), _DVPP),
    FileKind("cpu_usage", _("Use of the CPUs."), _SYSTEM),
    FileKind("sys_mem", _("Memory of the system."), _SYSTEM),
    FileKind("process_cpu_usage", _("Use of the CPU by process."), _PROCESS),
    FileKind("process_mem", _("Memory by process."), _PROCESS),
    FileKind("ai_cpu_pmu_events", _("Counted events of the AI CPU."), _DEVICE_CPU),
    FileKind("ai_cpu_top_function", _("Functions in which the AI CPU spends its cycles."), _DEVICE_CPU),
    FileKind("ctrl_cpu_pmu_events", _("Counted events of the control CPU."), _DEVICE_CPU),
    FileKind(
        "ctrl_cpu_top_function", _("Functions in which the control CPU spends its cycles."), _DEVICE_CPU
    ),
    FileKind("ts_cpu_pmu_events", _("Counted events of the task scheduler's CPU."), _DEVICE_CPU),
    FileKind(
        "ts_cpu_top_function",
        _("Functions in which the task scheduler's CPU spends its cycles."),
        _DEVICE_CPU,
    ),
    FileKind("host_cpu_usage", _("How many CPUs of the host are used, and how many are advised."), _HOST),
    FileKind("host_mem_usage", _("Memory of the host that is used and advised."), _HOST),
    FileKind("host_disk_usage", _("Disk traffic of the host that is used and advised."), _HOST),
    FileKind("host_network_usage", _("Network traffic of the host that is used and advised."), _HOST),
    FileKind("os_runtime_statistic", _("Calls and time per system and pthread call of the host."), _SYSCALLS),
    FileKind("os_runtime_api", _("System and pthread calls of the host."), _SYSCALLS, True),
    FileKind("instr", _("Samples of the instructions of AI Cores."), _INSTRUCTIONS, True),
    FileKind("biu_perf", _("Bandwidth and latency of the cores' bus interface."), _INSTRUCTIONS, True),
    FileKind("ffts_sub_task_time", _("Subtasks of fused tasks."), _TASK_TIME, True),
    FileKind("acsq_task_statistic", _("Tasks of the hardware queues."), _TASK_TIME),
    FileKind("block_detail", _("Time of each block of a task."), _CHIP, True),
    FileKind("ccu_mission", _("Instructions of the communication engine."), _CHIP),
    FileKind("ccu_channel", _("Bandwidth of the communication engine by channel."), _CHIP),
    FileKind("dpu", _("Tasks of the data processing unit."), _CHIP, True),
    FileKind("fusion_task", _("Fused tasks."), _CHIP, True),
    FileKind("freq", _("Frequency of the AI Cores."), _CHIP, True),
    FileKind("low_power", _("Frequency and power states."), _CHIP, True),
    FileKind("voltage", _("Voltage of the chip."), _CHIP, True),
    FileKind("prof_rule", _("The exporter's own advice for tuning."), _ADVICE),
)

KINDS = {kind.name: kind for kind in _ALL}
"""Every known file type by the name that its files begin with."""

NOT_TABLES = frozenset({"prof_rule", "communication_matrix"})
"""Known types whose JSON holds neither rows nor events."""
