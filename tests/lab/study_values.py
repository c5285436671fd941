"""What `warpwright reproduce 000` prints of kernels under register pressure, computed once more from the counters of the store's runs.

usage: study_values.py PUBLISHED.toml STORE REGISTERS PAGE...

REGISTERS is a folder with what `warpwright registers --summary` says of PROGRAM.ptx in PROGRAM; PAGE is an output of `reproduce`.
"""
import json
import math
import pathlib
import re
import sqlite3
import sys
import tomllib

NEGLIGIBLE = 1e-4  # section 5.1: vectors of private memory per warp instruction
HAS_WIDE_BLOCKS = ("backprop", "hotspot", "srad")


class Study:
    def __init__(self, paper, store, registers):
        self.baselines = {machine["name"]: machine.get("baseline", "B") for machine in paper["machines"]}
        self.base, self.minimum = {}, {}
        for file in pathlib.Path(registers).iterdir():
            counts = [line.rsplit(None, 4) for line in file.read_text(encoding="utf-8").splitlines()[1:]]
            self.minimum[file.name] = max(int(row[4]) for row in counts)
            self.base.update({(file.name, row[0].split("(")[0]): int(row[3]) for row in counts})
        self.runs = {}  # (purpose, program, kernel, machine, registers): statistics
        rows = sqlite3.connect(store).execute("""SELECT experiment, program, kernel, machine, parameters ->> '$.max_registers', statistics
                                                 FROM kernel_list WHERE experiment IN ('000-pressure', '000-traffic')""")
        for experiment, program, kernel, machine, count, statistics in rows:
            self.runs[experiment.removeprefix("000-"), program, kernel, machine, int(count)] = json.loads(statistics)
        self.kernels = sorted({(value["program"], value["kernel"]) for item in paper["items"] if item.get("origin") == "pressure"
                               for value in item["values"] if "program" in value})

    def statistics(self, *run):
        if run not in self.runs:
            raise LookupError(f"needs a run of {', '.join(map(str, run))} registers")
        return self.runs[run]

    def timing(self, kernel, machine, count):
        return self.statistics("pressure", *kernel, machine, count)["timing"]

    def counters(self, kernel, machine, count):
        return self.timing(kernel, machine, count)["counters"]

    def traffic(self, kernel, machine, count):
        """Of what is spilled, below the caches, for each instruction."""
        gpu = self.statistics("traffic", *kernel, machine, count)["timing"]["counters"]["gpu"]
        l1d, avc = gpu["l1d"], gpu["mechanisms"]["avc"]
        read = l1d["fetches"] - l1d["misses"]["global_read"] + avc["fetches"] + avc["below"]["fetches"]
        stored = max(l1d["accesses"]["local_write"], avc["writes"])
        written = l1d["write_backs"] + avc["write_backs"] + avc["below"]["write_backs"]
        return (read + min(written, stored)) / gpu["sm"]["warp_instructions"]

    def counts(self, kernel):
        return range(self.minimum[kernel[0]], self.base[kernel] + 1)

    def cached(self, kernel, machine):
        return next((count for count in self.counts(kernel) if self.traffic(kernel, machine, count) < NEGLIGIBLE), None)

    def ratio(self, kernels, machine):
        """Of traffic at equal registers: of the means of its sums."""
        own, baseline = (self.mean(lambda kernel, on=each: sum(self.traffic(kernel, on, count) for count in self.counts(kernel)), kernels)
                         for each in (machine, self.baselines[machine]))
        return own / baseline if baseline else None

    def count_at(self, kernel, share):
        return max(self.minimum[kernel[0]], math.floor(float(share) * self.base[kernel] + 0.5))

    def classes(self, kernel, share, wide=False, machine="classes"):
        name = kernel[1] + "32" if wide and kernel[0] in HAS_WIDE_BLOCKS else kernel[1]
        found = self.statistics("pressure", kernel[0], name, machine, self.count_at(kernel, share))["mechanisms"]["memory_classes"]
        vectors = {kind: found["private"]["loads"][kind] + found["private"]["stores"][kind] for kind in found["private"]["loads"]}
        return vectors, found["private_affine_floats"]

    def affine(self, kernel, share, wide=False, machine="classes"):
        vectors, _ = self.classes(kernel, share, wide, machine)
        total = sum(vectors.values())
        return 100 * (total - vectors["generic"]) / total if total else None

    def floats(self, kernel, share):
        vectors, floats = self.classes(kernel, share)
        affine = sum(vectors.values()) - vectors["generic"]
        return 100 * floats / affine if affine else None

    def cost(self, kernel, machine, count, bound):
        """Joules, by the units of the account."""
        units = self.timing(kernel, machine, count)["energy"]["units"]
        return sum(unit[bound] for unit in units.values())

    def speedup(self, kernel, machine, share):
        count = self.count_at(kernel, share)
        baseline = self.counters(kernel, self.baselines[machine], count)
        return 100 * (baseline["cycles"] / self.counters(kernel, machine, count)["cycles"] - 1)

    def energy(self, kernel, machine, share, bound="value"):
        count = self.count_at(kernel, share)
        return 100 * (1 - self.cost(kernel, machine, count, bound) / self.cost(kernel, self.baselines[machine], count, bound))

    def energy_low(self, kernel, machine, share):
        return self.energy(kernel, machine, share, "low")

    def energy_high(self, kernel, machine, share):
        return self.energy(kernel, machine, share, "high")

    def dram(self, kernel, machine, share):
        count = self.count_at(kernel, share)
        moved = [self.counters(kernel, each, count)["gpu"]["memory"]["dram"]["moved_bytes"] for each in (machine, self.baselines[machine])]
        return moved[0] / moved[1]

    def gain(self, kernel, machine):
        before, after = self.cached(kernel, self.baselines[machine]), self.cached(kernel, machine)
        return before - after if before and after else None

    def capacity(self, kernel):
        before = self.cached(kernel, "B")
        return self.base[kernel] - before if before else None

    def mean(self, value_of, kernels=None):
        """Of applications, whose kernels share the weight."""
        by_program = {}
        for kernel in kernels or self.kernels:
            value = value_of(kernel)
            if value is not None:
                by_program.setdefault(kernel[0], []).append(value)
        means = [sum(values) / len(values) for values in by_program.values()]
        return sum(means) / len(means)

    def of_kernel(self, kernel, name):
        what, _, rest = name.partition(".")
        if what == "cache":
            return self.cached(kernel, rest)
        if what == "gain":
            return self.gain(kernel, rest)
        if what == "ratio":
            return self.ratio([kernel], rest)
        if what == "affine_first":
            return self.affine(kernel, rest, machine="classes_affine_first")
        if what in ("affine", "affine_wide"):
            return self.affine(kernel, rest, what == "affine_wide")
        if what == "floats":
            return self.floats(kernel, rest)
        machine, _, share = rest.partition(".") if rest[0].isalpha() else ("2", "", rest)
        return getattr(self, what)(kernel, machine, share)

    def value(self, published):
        name = published["ours"]
        if "program" in published:
            return self.of_kernel((published["program"], published["kernel"]), name)
        if name.startswith("ratio."):
            return self.ratio(self.kernels, name.partition(".")[2])
        if name.startswith("capacity."):
            gained = self.mean(lambda kernel: self.gain(kernel, name.partition(".")[2]))
            return 100 * gained / self.mean(self.capacity)
        return self.mean(lambda kernel: self.of_kernel(kernel, name))


def number(text):
    return float(text.split(" ")[0])


def agrees(printed, value):
    """Three digits are printed."""
    return abs(printed - value) <= 0.0051 * abs(value) + 1e-12


def mistake_in(line, published, value, bounds=()):
    """Of the row of a published value beside ours, which may have bounds in brackets; None where there is none."""
    label = published["name"] + (" (mean)" if published.get("is_mean") else "") + (f" [{published['source']}]" if "source" in published else "")
    if not line.startswith(f"  {label} "):
        return f"is no row of '{label}'"
    cells = [cell.strip() for cell in re.split(r"\s{2,}", line[len(label) + 2:].strip())]
    if value is None:
        return None if cells[1] == "no value" else "must have no value"
    if cells[1] == "no value" or not agrees(number(cells[1]), value):
        return f"must have {value:.6g}"
    if bounds:
        printed = [float(text) for text in cells[1].partition("(")[2].rstrip(")").split(", ")]
        if len(printed) != len(bounds) or not all(map(agrees, printed, bounds)):
            return f"must have the bounds {bounds}"
    wanted = published["published"]
    if isinstance(wanted, str):
        return None if cells[0] == wanted else f"must have '{wanted}'"
    if number(cells[0]) != wanted or not agrees(number(cells[2]), value - wanted):
        return f"must have {wanted} and the difference {value - wanted:.6g}"
    share = re.search(r"\((\S+) %\)", cells[2])
    return None if wanted == 0 or abs(float(share[1]) - 100 * (value / wanted - 1)) <= 0.51 else "has a wrong share"


def check_page(study, items, page):
    lines = pathlib.Path(page).read_text(encoding="utf-8").splitlines()
    titles = {f"{kind.capitalize()} {item[kind]}, ": item for item in items for kind in ("figure", "table") if kind in item}
    wrong, checked, values = [], 0, set()
    for place, line in enumerate(lines):
        item = next((each for title, each in titles.items() if line.startswith(title)), None)
        if item is None:
            continue
        for row, published in zip(lines[place + 2:], item["values"]):
            checked += 1
            try:
                value = study.value(published)
                values.add(value)
                bounds = ()
                if published["ours"].startswith("energy."):
                    bounds = [study.value(published | {"ours": published["ours"].replace("energy.", f"energy_{bound}.", 1)}) for bound in ("low", "high")]
                mistake = mistake_in(row, published, value, bounds)
            except LookupError as missing:
                mistake = missing.args[0]
            wrong += [f"'{row.strip()}' {mistake}"] if mistake else []
    if checked == 0:
        wrong.append(f"{page} has no rows")
    return wrong, checked, values


def main():
    published, store, registers, *pages = sys.argv[1:]
    paper = tomllib.loads(pathlib.Path(published).read_text(encoding="utf-8"))
    study = Study(paper, store, registers)
    items = [item for item in paper["items"] if item.get("origin") == "pressure"]
    status = 0
    for page in pages:
        wrong, checked, values = check_page(study, items, page)
        print(f"{page}: {checked} rows, {len(values)} different values, {len(wrong)} wrong")
        for each in wrong:
            print("  " + each)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
