"""A made-up GPU as tools/hardware/measure would leave it, and a simulator that only writes down what it is told; `--set made.factor=N` makes it N times slower."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
import hardware_counters  # noqa: E402
import hardware_instructions  # noqa: E402

# Nanoseconds on the GPU and simulated. Every counter is the kernel's time, but for parts of the warp instructions.
KERNELS = {"one": (1000, 1100), "two": (2000, 2600), "three": (3000, 2400), "four": (4000, 6400), "five": (5000, 5000), "six<Small>": (6000, 12000)}
LOADS, OUR_LOADS, STORES = 4, 2, 8  # the warp instructions that there are of each of these, there and here
SIZES = ("test", "small")

SIMULATOR = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
if words[0] == "machines":
    if words[1] == "absent":
        sys.exit("there is no machine " + words[1])
    print("[chip]\\nmultiprocessors = 2")
    sys.exit()
if words[-1] in pathlib.Path(__file__).with_name("broken").read_text():
    sys.exit("this size is broken")


def profile(signature, time):
    traffic = {"loads": {"requests": time // OUR_LOADS}, "stores": {"requests": time // STORES}}
    classes = {"integer": time - time // OUR_LOADS, "load_global": time // OUR_LOADS, "fp64": 0}
    return {"signature": signature, "launches": 1, "counters": {"warp_instructions": classes, "thread_instructions": {"integer": 32 * time}, "global": traffic}}


if "--functional" in words:
    report = pathlib.Path(words[words.index("--json") + 1])
    report.write_text(json.dumps({"kernels": [profile(signature, time) for signature, (_, time) in KERNELS]}))
    sys.exit()
with open(words[words.index("--csv") + 1], "w") as report:
    report.write("signature,launch,grid,block,nanoseconds,cycles,gpu.l1i.fetch_latency.sum,COUNTERS\\n")
    factor = int(words[words.index("--set") + 1].removeprefix("made.factor=")) if "--set" in words else 1
    for launch, (signature, (_, time)) in enumerate(KERNELS):
        time *= factor
        report.write(f"{signature},{launch},2x1x1,32x1x1,{time},{time},0" + COUNTS * f",{time}" + "\\n")
"""


def scoped(name):
    """As tools call it that write names of C++ in full."""
    return f"void made::{name.replace('<', '<made::')}"


def columns_of(table, places):
    """What tools/hardware_counters.py reads, on one side: quantities have a list of counters, shares those of a part and of a whole."""
    return list(dict.fromkeys(name.removeprefix("-") for row in table for place in places for name in row[place]))


OURS = columns_of(hardware_counters.QUANTITIES, [2]) + columns_of(hardware_counters.SHARES, [3, 4])
THEIRS = columns_of(hardware_counters.QUANTITIES, [1]) + columns_of(hardware_counters.SHARES, [1, 2])
PARTS = {hardware_instructions.LOADS: LOADS, hardware_instructions.STORES: STORES}


def write_measurements(folder):
    with (folder / "kernels.csv").open("w", encoding="utf-8") as file:
        file.write("workload,size,kernel,launch,grid,block,median_ns,least_ns,most_ns\n")
        for size in SIZES:
            for launch, (name, (time, _)) in enumerate(KERNELS.items()):
                file.write(f"program,{size},{name},{launch},2x1x1,32x1x1,{time},{time},{time}\n")
    with (folder / "counters.csv").open("w", encoding="utf-8") as file:
        file.write(f"workload,size,launch,kernel,{hardware_instructions.WARP}\n")
        for size in SIZES:
            for launch, (name, (time, _)) in enumerate(KERNELS.items()):
                file.write(f"program,{size},{launch},{scoped(name)},{time}\n")
    with (folder / "traffic.csv").open("w", encoding="utf-8") as file:
        file.write(f"workload,size,launch,kernel,{','.join([*THEIRS, *PARTS])}\n")
        for launch, (name, (time, _)) in enumerate(KERNELS.items()):
            file.write(f"program,small,{launch},{scoped(name)}" + f",{time}" * len(THEIRS) + "".join(f",{time // part}" for part in PARTS.values()) + "\n")


def write_simulator(folder):
    """The simulator; sizes that stand in the file `broken` beside it end it."""
    kernels = [(f"{scoped(name)}(int*)", times) for name, times in KERNELS.items()]
    marks = {"KERNELS": repr(kernels), "COUNTERS": ",".join(OURS), "COUNTS": str(len(OURS)), "OUR_LOADS": str(OUR_LOADS), "STORES": str(STORES)}
    text = SIMULATOR
    for mark, value in marks.items():
        text = text.replace(mark, value)
    simulator = folder / "simulator"
    simulator.write_text(text, encoding="utf-8")
    simulator.chmod(0o755)
    (folder / "broken").write_text("", encoding="utf-8")
    return simulator
