"""compare.py STORE DOM WIDTH: what the driver saw of the page, against the store."""
import base64
import csv
import io
import json
import re
import sqlite3
import sys

store = sqlite3.connect(sys.argv[1])
dom = open(sys.argv[2], encoding="utf-8").read()
width = int(sys.argv[3])
found = re.search(r'id="seen">([^<]*)<', dom)
assert found, "the driver did not come to its end"
seen = json.loads(base64.b64decode(found.group(1)))


def setting(machine, parameters):
    return " · ".join([machine, ", ".join(f"{name} {value}" for name, value in json.loads(parameters).items())])


def subject(program, kernel):
    return program if program == kernel else f"{program} · {kernel}"


def metric(name):
    rows = store.execute("SELECT program, kernel, machine, parameters, value FROM metrics WHERE metric = ?", (name,))
    return {(subject(program, kernel), setting(machine, parameters)): value for program, kernel, machine, parameters, value in rows}


def near(a, b, relative=1e-6):
    assert abs(a - b) <= relative * max(abs(a), abs(b)), f"{a} is not {b}"


cycles = metric("timing.counters.cycles")
subjects = sorted({place for place, _ in cycles})
settings = sorted({where for _, where in cycles})
baseline = "gtx480 · max_registers 32"
assert len(subjects) == 3 and len(settings) == 4, (subjects, settings)

# The frame.
assert seen["title"] == seen["heading"] == "browser", seen["title"]
assert seen["lead"].endswith("</script>"), seen["lead"]
assert seen["sections"] == ["overview", "results", "stalls", "scatter", "series", "kernels", "runs"], seen["sections"]
assert seen["loads"] == ['<link rel="icon" href="data:,">'], seen["loads"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"
assert seen["hidden"] == [], f"links to sections are out of sight: {seen['hidden']}"
assert len(seen["failures"]) == 4 and "no such <input>" in seen["failures"][0], seen["failures"]
assert seen["back"]

# The file of the results holds what is drawn: each number, and the means.
file = next(file for file in seen["files"] if file["title"] == "cycles, normalised to the baseline")
assert file["name"] == "browser-cycles-normalised-to-the-baseline.csv", file["name"]
header, *rows = csv.reader(io.StringIO(file["text"]))
assert header == ["program or kernel", "setting", "cycles relative to the baseline (ratio)"], header
assert len(rows) == len(cycles) + len(settings), rows
for place, where, value in rows:
    if (place, where) in cycles:
        near(float(value), cycles[place, where] / cycles[place, baseline])

# Results: each number, and each bar as long as its number says.
numbers = {(row[0], row[1]): (float(row[2]), float(row[3])) for row in seen["results"]["numbers"]}
assert numbers.keys() == cycles.keys()
for place, (absolute, relative) in numbers.items():
    assert absolute == cycles[place], (place, absolute, cycles[place])
    near(relative, cycles[place] / cycles[place[0], baseline])
bars = {tuple(bar["text"].split("\n")[:2]): bar for bar in seen["results"]["bars"]}
assert len(bars) == len(cycles) + len(settings), len(bars)  # with the geometric means
length = "height" if width > 600 else "width"
one = bars[subjects[0], baseline][length]
assert one > 20, one
for place, (_, relative) in numbers.items():
    near(bars[place][length] / one, relative, 0.01)
for where in settings:
    product = 1
    for each in subjects:
        product *= numbers[each, where][1]
    near(bars["geometric mean of 3", where][length] / one, product ** (1 / 3), 0.01)
assert len(seen["means"]) == 4, seen["means"]
for where, mean in seen["means"]:
    product = 1
    for each in subjects:
        product *= cycles[each, baseline] / cycles[each, where]
    near(float(mean), product ** (1 / 3))

# Stalls: the parts of each bar are the store's shares of slots.
slots = {}
for program, kernel, machine, parameters, statistics in store.execute("SELECT program, kernel, machine, parameters, statistics FROM kernel_list"):
    slots[subject(program, kernel), setting(machine, parameters)] = json.loads(statistics)["timing"]["counters"]["gpu"]["sm"]["slots"]
for row in seen["stalls"]["numbers"]:
    assert float(row[2]) == sum(slots[row[0], row[1]].values()), row
lengths = {}
for bar in seen["stalls"]["bars"]:
    lengths.setdefault(tuple(bar["text"].split(", ")[:1]) + (bar["text"].split(", ")[1],), []).append(bar)
assert lengths.keys() == slots.keys()
whole = max(sum(bar["width"] for bar in parts) for parts in lengths.values())
for place, parts in lengths.items():
    issued = next(bar for bar in parts if ", issued:" in bar["text"])
    assert len(parts) == sum(1 for count in slots[place].values() if count), place
    near(issued["width"] / whole, slots[place]["issued"] / sum(slots[place].values()), 0.02)

# Scatter and series.
assert len(seen["dots"]) == len(cycles), len(seen["dots"])
assert seen["lines"] == len(settings), seen["lines"]
assert seen["areas"] >= len(settings), seen["areas"]
assert seen["choices"]["results"] == 24 and seen["choices"]["baselines"] == 6, seen["choices"]
assert seen["choices"]["stalls"] == 6 and seen["choices"]["figures"] == 6, seen["choices"]

# Kernels: figures, and counts beside each line.
assert sorted(kernel["name"] for kernel in seen["kernels"]) == subjects
for kernel in seen["kernels"]:
    assert kernel["sideways"] <= 0 and kernel["bars"] > 0 and kernel["lost"] > 0, kernel["name"]
    shown = sorted(float(value) for value in kernel["figures"][0][1:])
    assert shown == sorted(value for (place, _), value in cycles.items() if place == kernel["name"]), kernel["figures"][0]
    program = kernel["name"].split(" · ")[0]
    name = kernel["name"].split(" · ")[-1]
    lists, text = store.execute("SELECT k.lists, s.text FROM kernel_list k JOIN run_sources x ON x.run = k.run JOIN sources s ON s.id = x.source "
                                "WHERE k.program = ? AND k.kernel = ? ORDER BY k.position", (program, name)).fetchone()
    lists = json.loads(lists)
    wanted = {line["line"]: line["derived"]["warp_instructions"] for line in lists["lines"] if line["line"]}
    lines = {int(line["line"]): line for line in kernel["lines"] if line["line"].isdigit()}
    assert wanted and wanted.keys() <= lines.keys()
    for number, warps in wanted.items():
        assert float(lines[number]["values"][0]) == warps, (kernel["name"], number)
        assert lines[number]["text"] == text.split("\n")[number - 1]
    for line in lists["timing_lines"]:
        if line["line"] in wanted:
            assert float(lines[line["line"]]["values"][2]) == sum(line["lost_slots"].values()), line

# Runs.
assert seen["commands"] == [command for command, in store.execute("SELECT command FROM run_list ORDER BY position")]
machines = {text.strip() for text, in store.execute("SELECT text FROM configurations")}
assert {text.strip() for text in seen["machines"]} == machines
