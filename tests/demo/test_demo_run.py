from collections import Counter

from prof_tui.demo.training_run import demo_run


def test_ops_are_bound_by_what_their_work_fills() -> None:
    """Half of the cube's work fills MAC; some work fills no pipe, and AI CPUs and links have none."""
    run = demo_run()
    times: Counter[str] = Counter()
    for op in run.ops:
        if op.iteration == 3:
            shares = {**op.vector_pipes, **op.cube_pipes}
            full = [pipe for pipe, share in shares.items() if share > 800]
            assert len(full) <= 1
            times[full[0] if full else "none" if shares else "not measured"] += op.duration_ns
    found = [pipe for pipe, _ns in times.most_common()]
    assert found == ["mac", "none", "not measured", "vec", "mte2", "scalar", "mte3"]
