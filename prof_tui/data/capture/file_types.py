"""The file types that an export may hold: what each shows and which collection option makes it.

Types after formats.md 3.3 and 4 and the exporter's own header lists.
"""

from dataclasses import dataclass

from prof_tui.data.capture import options
from prof_tui.data.capture.options import Option
from prof_tui.words import _


@dataclass(frozen=True)
class FileKind:
    """One file type."""

    name: str
    meaning: str
    """One sentence, for the user."""
    option: Option
    """The collection option without which the file is missing."""
    timeline: bool = False
    """Whether a JSON file of this type in `mindstudio_profiler_output` holds events, not rows."""
    usual: bool = False
    """Whether a usual export has it, so that its absence is worth a line."""

    @property
    def made_by(self) -> str:
        """One sentence: the option that makes it."""
        return self.option.made_by


_ALL = (
    FileKind(
        "op_summary", _("One row per task of an operator, with its duration."), options.TASKS, usual=True
    ),
    FileKind("op_statistic", _("Calls and time per OP Type and Core Type."), options.LEVEL_1, usual=True),
    FileKind(
        "step_trace",
        _("The iterations: when each began, computed, refreshed and ended."),
        options.STEP_TRACE,
        True,
        True,
    ),
    FileKind("msprof", _("The timeline of all layers of host and device."), options.TASKS, True, True),
    FileKind("task_time", _("When the task scheduler ran each task."), options.TASKS, usual=True),
    FileKind("api_statistic", _("Calls and time per API of the host."), options.API, usual=True),
    FileKind("api", _("Calls of the host's APIs."), options.API, True),
    FileKind("event", _("Events of the host's APIs."), options.API, True),
    FileKind("fusion_op", _("Which operators each fused operator stands for."), options.LEVEL_1),
    FileKind("acl", _("Calls of AscendCL."), options.ACL, True),
    FileKind("acl_statistic", _("Calls and time per AscendCL API."), options.ACL),
    FileKind("runtime_api", _("Calls and time per Runtime API."), options.RUNTIME_API, True),
    FileKind(
        "ge",
        _("Input, execution and output of each run of a model in the graph engine."),
        options.MODEL,
        True,
    ),
    FileKind("ge_op_execute", _("How the graph engine ran operators of dynamic shape."), options.MODEL, True),
    FileKind(
        "ai_stack_time",
        _("Time of AscendCL, graph engine, Runtime and task scheduler together."),
        options.STACK,
        True,
    ),
    FileKind("thread_group", _("AscendCL, graph engine and Runtime by thread."), options.STACK, True),
    FileKind("hccl", _("Collective communication as a timeline."), options.COMMUNICATION, True),
    FileKind("communication", _("Collective communication as a timeline."), options.COMMUNICATION, True),
    FileKind(
        "communication_statistic", _("Calls and time per communication operator."), options.COMMUNICATION
    ),
    FileKind("hccl_statistic", _("Calls and time per communication operator."), options.COMMUNICATION),
    FileKind("communication_matrix", _("Bandwidth between each pair of ranks."), options.COMMUNICATION),
    FileKind("msprof_tx", _("Marks that the program set itself with msproftx."), options.TX, True),
    FileKind("pytorch_operator_view", _("Operators of PyTorch with their call stacks."), options.TX),
    FileKind("task_queue", _("The queue that feeds operators to the device."), options.TX, True),
    FileKind("aicpu", _("Operators of the data preparation that ran on the AI CPU."), options.AI_CPU),
    FileKind("aicpu_mi", _("Queues of the data preparation."), options.AI_CPU),
    FileKind("dp", _("Steps of the data augmentation."), options.AI_CPU),
    FileKind("l2_cache", _("Hit and victim rate of the L2 cache per task."), options.L2),
    FileKind("soc_pmu", _("Hit rate of the address translation per task."), options.CHIP),
    FileKind(
        "npu_mem", _("Memory of the device that the process and the device use."), options.HARDWARE_MEMORY
    ),
    FileKind("npu_module_mem", _("Memory of the device by component."), options.HARDWARE_MEMORY),
    FileKind("memory_record", _("Memory that the operators of CANN hold over time."), options.TASK_MEMORY),
    FileKind("operator_memory", _("Memory of each operator of CANN."), options.TASK_MEMORY),
    FileKind("static_op_mem", _("Memory of each operator of a static graph."), options.TASK_MEMORY),
    FileKind("ai_core_utilization", _("Metrics per AI Core."), options.SAMPLED),
    FileKind("ai_vector_core_utilization", _("Metrics per AI Vector Core."), options.SAMPLED),
    FileKind("hbm", _("Read and write rate of the on-chip memory."), options.HARDWARE_MEMORY),
    FileKind("ddr", _("Read and write rate of the DDR memory."), options.HARDWARE_MEMORY),
    FileKind("llc_read_write", _("Read and write rate of the last-level cache."), options.HARDWARE_MEMORY),
    FileKind("llc_bandwidth", _("Bandwidth of the last-level cache."), options.HARDWARE_MEMORY),
    FileKind("llc_aicpu", _("Last-level cache that the AI CPU uses."), options.HARDWARE_MEMORY),
    FileKind("llc_ctrlcpu", _("Last-level cache that the control CPU uses."), options.HARDWARE_MEMORY),
    FileKind("acc_pmu", _("Bandwidth and concurrency of the accelerators."), options.HARDWARE_MEMORY),
    FileKind("stars_soc", _("Bandwidth inside the chip."), options.HARDWARE_MEMORY),
    FileKind("qos", _("Bandwidth per quality-of-service class."), options.CHIP),
    FileKind("hccs", _("Bandwidth of the links between devices."), options.INTERCONNECTION),
    FileKind("pcie", _("Bandwidth of PCIe."), options.INTERCONNECTION),
    FileKind("sio", _("Bandwidth between the dies of a chip."), options.INTERCONNECTION),
    FileKind("stars_chip_trans", _("Bandwidth between chips."), options.INTERCONNECTION),
    FileKind("inter_soc_transmission", _("Level of the bandwidth between chips."), options.INTERCONNECTION),
    FileKind("ub", _("Bandwidth of the unified bus by port."), options.CHIP),
    FileKind("nic", _("Traffic of the network card over time."), options.IO),
    FileKind("roce", _("Traffic of RoCE over time."), options.IO),
    FileKind("dvpp", _("Use of the engines for images and video."), options.DVPP),
    FileKind("cpu_usage", _("Use of the CPUs."), options.SYSTEM),
    FileKind("sys_mem", _("Memory of the system."), options.SYSTEM),
    FileKind("process_cpu_usage", _("Use of the CPU by process."), options.PROCESS),
    FileKind("process_mem", _("Memory by process."), options.PROCESS),
    FileKind("ai_cpu_pmu_events", _("Counted events of the AI CPU."), options.DEVICE_CPU),
    FileKind(
        "ai_cpu_top_function", _("Functions in which the AI CPU spends its cycles."), options.DEVICE_CPU
    ),
    FileKind("ctrl_cpu_pmu_events", _("Counted events of the control CPU."), options.DEVICE_CPU),
    FileKind(
        "ctrl_cpu_top_function",
        _("Functions in which the control CPU spends its cycles."),
        options.DEVICE_CPU,
    ),
    FileKind("ts_cpu_pmu_events", _("Counted events of the task scheduler's CPU."), options.DEVICE_CPU),
    FileKind(
        "ts_cpu_top_function",
        _("Functions in which the task scheduler's CPU spends its cycles."),
        options.DEVICE_CPU,
    ),
    FileKind(
        "host_cpu_usage", _("How many CPUs of the host are used, and how many are advised."), options.HOST
    ),
    FileKind("host_mem_usage", _("Memory of the host that is used and advised."), options.HOST),
    FileKind("host_disk_usage", _("Disk traffic of the host that is used and advised."), options.HOST),
    FileKind("host_network_usage", _("Network traffic of the host that is used and advised."), options.HOST),
    FileKind(
        "os_runtime_statistic", _("Calls and time per system and pthread call of the host."), options.SYSCALLS
    ),
    FileKind("os_runtime_api", _("System and pthread calls of the host."), options.SYSCALLS, True),
    FileKind("instr", _("Samples of the instructions of AI Cores."), options.INSTRUCTIONS, True),
    FileKind("biu_perf", _("Bandwidth and latency of the cores' bus interface."), options.INSTRUCTIONS, True),
    FileKind("ffts_sub_task_time", _("Subtasks of fused tasks."), options.TASKS, True),
    FileKind("acsq_task_statistic", _("Tasks of the hardware queues."), options.TASKS),
    FileKind("block_detail", _("Time of each block of a task."), options.CHIP, True),
    FileKind("ccu_mission", _("Instructions of the communication engine."), options.CHIP),
    FileKind("ccu_channel", _("Bandwidth of the communication engine by channel."), options.CHIP),
    FileKind("dpu", _("Tasks of the data processing unit."), options.CHIP, True),
    FileKind("fusion_task", _("Fused tasks."), options.CHIP, True),
    FileKind("freq", _("Frequency of the AI Cores."), options.CHIP, True),
    FileKind("low_power", _("Frequency and power states."), options.CHIP, True),
    FileKind("voltage", _("Voltage of the chip."), options.CHIP, True),
    FileKind("prof_rule", _("The exporter's own advice for tuning."), options.ADVICE),
)

KINDS = {kind.name: kind for kind in _ALL}
"""Every known file type by the name that its files begin with."""

NOT_TABLES = frozenset({"prof_rule", "communication_matrix"})
"""Known types whose JSON holds neither rows nor events."""
