"""What a GPU counted of a kernel beside what the simulator counts of it (data/hardware/README.md, `traffic.csv`)."""
import csv
import math
import statistics
from typing import NamedTuple

from hardware_kernels import LEAST, Compared, correlation, correlation_text


class Quantity(NamedTuple):
    """Counters that are added up, there and in the simulator's report."""
    name: str
    gpu: list
    ours: list


# A sector of L2 that the simulator counts is one that L1 or the texture cache asks for, or has written: code and constants are in neither.
QUANTITIES = [
    Quantity("warp instructions", ["smsp__inst_executed.sum"], ["gpu.sm.warp_instructions"]),
    Quantity("thread instructions", ["smsp__thread_inst_executed.sum"], ["gpu.sm.thread_instructions"]),
    Quantity("cycles of SMs with a warp", ["sm__cycles_active.sum"], ["gpu.sm.active_cycles"]),
    Quantity("cycles of resident warps", ["sm__warps_active.sum"], ["gpu.sm.resident_warp_cycles"]),
    Quantity("passes of shared memory", ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"], ["gpu.sm.load_store.shared_passes"]),
    Quantity("sectors that L2 reads and writes for L1", ["lts__t_sectors_srcunit_tex.sum"],
             ["gpu.l1d.sectors_fetched", "gpu.texture_cache.sectors_fetched", "gpu.memory.partition.l2.sectors_written"]),
    Quantity("bytes read from DRAM", ["dram__bytes_read.sum"], ["gpu.memory.partition.bytes_from_dram"]),
    Quantity("bytes written to DRAM", ["dram__bytes_write.sum"], ["gpu.memory.partition.bytes_to_dram"]),
]


class Share(NamedTuple):
    """A part of a whole, of columns that are added up, or taken off where a minus stands before them: what is compared is their quotient."""
    name: str
    gpu_part: list
    gpu_whole: list
    our_part: list
    our_whole: list


SHARES = [
    Share("L1 hits of global loads", ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"], ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
          ["gpu.l1d.hits.global_read"], ["gpu.l1d.accesses.global_read"]),
    # A line of the other half is looked up twice: in the own half, and where it lies.
    Share("L2 hits of reads", ["lts__t_sectors_op_read_lookup_hit.sum"], ["lts__t_sectors_op_read.sum"],
          ["gpu.memory.partition.l2.hits.global_read", "gpu.memory.partition.partner_reads", "-gpu.memory.partition.partner_misses"],
          ["gpu.memory.partition.l2.accesses.global_read", "gpu.memory.partition.partner_reads"]),
]


def counted(folder):
    """(workload, size) to what the GPU counted of its launches, in order."""
    file = folder / "traffic.csv"
    if not file.exists():
        raise SystemExit(f"compare-hardware: --counters: there is no {file}: tools/hardware/measure writes it (part traffic)")
    found = {}
    for row in csv.DictReader(file.open(encoding="utf-8")):
        found.setdefault((row["workload"], row["size"]), []).append(row)
    return found


def total(rows, columns):
    return sum((-1 if column[0] == "-" else 1) * float(row[column.removeprefix("-")] or 0) for row in rows for column in columns)


def of_kernel(place, gpu_rows, our_rows):
    """All launches of a kernel together. `place`: workload, size and its name."""
    for quantity in QUANTITIES:
        yield Compared(*place, quantity.name, total(gpu_rows, quantity.gpu), total(our_rows, quantity.ours))
    for share in SHARES:
        gpu, ours = total(gpu_rows, share.gpu_whole), total(our_rows, share.our_whole)
        if gpu and ours:
            yield Compared(*place, share.name, total(gpu_rows, share.gpu_part) / gpu, total(our_rows, share.our_part) / ours)


def quotient_row(name, pairs):
    """Of quantities: pairs where both counted something."""
    ratios = [ours / gpu for gpu, ours in pairs]
    logarithms = [(math.log(gpu), math.log(ours)) for gpu, ours in pairs]
    return [name, str(len(pairs)), f"{statistics.median(ratios):.2f}", f"{statistics.mean(abs(ratio - 1) for ratio in ratios):.0%}",
            f"{sum(abs(ratio - 1) <= 0.1 for ratio in ratios) / len(ratios):.0%}", correlation_text(correlation(logarithms))]


def share_row(name, pairs):
    """Of shares: how far apart they are, in points of a hundred."""
    apart = [100 * (ours - gpu) for gpu, ours in pairs]
    return [name, str(len(pairs)), f"{statistics.median(apart):+.1f}", f"{statistics.mean(map(abs, apart)):.1f}", f"{sum(abs(each) <= 10 for each in apart) / len(apart):.0%}",
            correlation_text(correlation(pairs))]


QUANTITY_HEADS = ["counter", "kernels", "median of ours / GPU", "mean error", "within 10 %", "correlation of logarithms"]
SHARE_HEADS = ["share", "kernels", "median of ours - GPU (points)", "mean difference (points)", "within 10 points", "correlation"]


def pairs_by_name(compared):
    found = {}
    for each in compared:
        found.setdefault(each.quantity, []).append((each.gpu, each.ours))
    return found


def quotient_rows(compared):
    """With QUANTITY_HEADS, of each quantity. Kernels of which one side counted nothing have no quotient, and are left out."""
    counted = {name: [pair for pair in pairs if min(pair) > 0] for name, pairs in pairs_by_name(compared).items()}
    return [quotient_row(name, pairs) for name, pairs in counted.items() if len(pairs) >= LEAST]


SHARE_NAMES = {share.name for share in SHARES}


def summary(compared):
    """Rows of two tables: of quantities, with QUANTITY_HEADS, and of shares, with SHARE_HEADS."""
    shares = pairs_by_name(each for each in compared if each.quantity in SHARE_NAMES)
    return (quotient_rows(each for each in compared if each.quantity not in SHARE_NAMES),
            [share_row(name, pairs) for name, pairs in shares.items() if len(pairs) >= LEAST])
