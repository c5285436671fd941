"""How many instructions a GPU executed of each kernel beside those that the simulator executes of it, whose code comes from another compiler."""
import csv
from collections import Counter
from typing import NamedTuple

from hardware_kernels import Compared, short_name

WARP, THREAD = "smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"
# A request is a warp instruction that accesses global memory with one lane at least: NVIDIA's profiler counts one for each since compute capability 7.0, and so does ours.
LOADS, STORES = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"
FILES = {"counters.csv": [WARP], "traffic.csv": [THREAD, LOADS, STORES]}
NAMES = ["warp instructions", "thread instructions", "loads of global memory", "stores to global memory", "all other warp instructions"]


class Executed(NamedTuple):
    """All launches of a kernel together."""
    workload: str
    size: str
    kernel: str
    launches: int
    pairs: dict    # a name of NAMES to what the GPU counted and what we did, as far as its counters go
    classes: dict  # ours by class (docs/profile.md), those that occur

    @property
    def ratio(self):
        gpu, ours = self.pairs[NAMES[0]]
        return ours / gpu

    def compared(self):
        return [Compared(self.workload, self.size, self.kernel, name, *pair) for name, pair in self.pairs.items()]


def counted(folder):
    """(workload, size) to what the GPU counted of its kernels, and their launches."""
    found = {}
    if not (folder / "counters.csv").exists():
        raise SystemExit(f"compare-hardware: --instructions: there is no {folder}/counters.csv: tools/hardware/measure writes it (part counters)")
    for name, columns in FILES.items():
        if not (folder / name).exists():
            continue
        for row in csv.DictReader((folder / name).open(encoding="utf-8")):
            kernel = found.setdefault((row["workload"], row["size"]), {}).setdefault(short_name(row["kernel"]), Counter())
            kernel.update({column: round(float(row[column])) for column in columns} | {f"launches in {name}": 1})
    return found


def executed(profile):
    """What the simulator's profile says of each kernel: counters with the GPU's names, launches, and warp instructions by class."""
    found = {}
    for kernel in profile["kernels"]:
        counters, (counts, classes) = kernel["counters"], found.setdefault(short_name(kernel["signature"]), (Counter(), Counter()))
        counts.update({"launches": kernel["launches"], WARP: sum(counters["warp_instructions"].values()), THREAD: sum(counters["thread_instructions"].values()),
                       LOADS: counters["global"]["loads"]["requests"], STORES: counters["global"]["stores"]["requests"]})
        classes.update(counters["warp_instructions"])
    return found


def pairs_of(gpu, ours):
    pairs = {name: (gpu[counter], ours[counter]) for name, counter in zip(NAMES, (WARP, THREAD, LOADS, STORES)) if counter in gpu}
    if LOADS in gpu:
        pairs[NAMES[-1]] = tuple(side[WARP] - side[LOADS] - side[STORES] for side in (gpu, ours))
    return pairs


def of_program(key, gpu, profile):
    """`gpu`: what `counted` has of this workload and size."""
    ours = executed(profile)
    if {name: kernel["launches in counters.csv"] for name, kernel in gpu.items()} != {name: counts["launches"] for name, (counts, _) in ours.items()}:
        raise SystemExit(f"{' '.join(key)}: the kernels in counters.csv, or how often they are launched, are not those in the simulator")
    return [Executed(*key, name, counts["launches"], pairs_of(gpu[name], counts), dict(+classes)) for name, (counts, classes) in ours.items()]


HEADS = ["workload", "size", "kernel", "launches", "GPU", "simulated", "ours / GPU", "threads", "loads", "stores", "others", "most of ours"]


def most_of(classes):
    total = sum(classes.values())
    return ", ".join(f"{name} {count / total:.0%}" for name, count in Counter(classes).most_common(3))


def rows(kernels):
    """With HEADS: what we execute most too much of first."""
    def quotient(pair):
        return f"{pair[1] / pair[0]:.2f}" if pair and pair[0] else ""
    return [[each.workload, each.size, each.kernel, str(each.launches), *map(str, each.pairs[NAMES[0]]), *(quotient(each.pairs.get(name)) for name in NAMES), most_of(each.classes)]
            for each in sorted(kernels, key=lambda each: -each.ratio)]
