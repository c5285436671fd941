"""profile.py STORE DOM WARPWRIGHT WORKLOADS: the profile of private memory that the driver saw, against the store; the numbers of registers
in the store, against those that `warpwright registers` tells of the program."""
import base64
import json
import re
import sqlite3
import subprocess
import sys

store = sqlite3.connect(sys.argv[1])
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
assert "private-memory" in seen["sections"], seen["sections"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

CLASSES = ["zero", "uniform", "affine", "generic"]
expected, global_lines, numbers = {}, {}, {}
rows = store.execute("SELECT program, kernel, parameters, statistics FROM kernel_list WHERE experiment = 'profile'")
for program, kernel, parameters, statistics in rows:
    counted = json.loads(statistics)["mechanisms"]["memory_classes"]
    swept = json.loads(parameters)
    place = f"{program} · {kernel} · address_bits {swept['address_bits']}", int(swept["max_registers"])
    numbers.setdefault(swept["address_bits"], set()).add(place[1])
    for way in ("loads", "stores"):
        for name in CLASSES:
            expected[*place, f"{way}, {name}"] = counted["private"][way][name] / counted["instructions"]
    global_lines[place] = counted["global_lines"] / counted["instructions"]
assert sum(value > 0 for value in expected.values()) > 9, expected

# Every number from the largest r_base of a kernel to the minimum with which all can be compiled.
assert numbers.keys() == {"32", "64"}, numbers
for bits, folder in (("32", "/m32"), ("64", "")):
    command = [sys.argv[3], "registers", "--summary", "--machine", "fermi-avc", f"{sys.argv[4]}{folder}/backprop"]
    kernels = [line.split()[-4:] for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]]
    base, minimum = max(int(kernel[2]) for kernel in kernels), max(int(kernel[3]) for kernel in kernels)
    assert all(kernel[0] == bits for kernel in kernels) and numbers[bits] == set(range(minimum, base + 1)), (numbers, kernels)

# Every number of the table.
header = seen["privateMemory"]["header"]
for row in seen["privateMemory"]["numbers"]:
    for name, value in list(zip(header, row))[2:]:
        place = row[0], int(row[1])
        wanted = global_lines[place] if name == "global" else expected[(*place, name)]
        assert abs(float(value) - wanted) <= 1e-9, (row, name, wanted)
assert len(seen["privateMemory"]["numbers"]) == len(global_lines)

# A bar for each class that occurs, and one for global memory in each panel; their lengths are in proportion.
bars = {bar["text"].rsplit(": ", 1)[0]: bar["height"] for bar in seen["privateMemory"]["bars"]}
drawn = {f"{kernel}, {registers} registers, {name}": value for (kernel, registers, name), value in expected.items() if value > 0}
for (kernel, registers), value in global_lines.items():
    if registers == max(number for other, number in global_lines if other == kernel) and value > 0:
        drawn[f"{kernel}, global memory"] = value
assert bars.keys() == drawn.keys(), bars.keys() ^ drawn.keys()
longest = max(drawn, key=drawn.get)
for name, value in drawn.items():
    wanted = bars[longest] * value / drawn[longest]
    assert abs(bars[name] - wanted) <= 0.02 * wanted + 0.8, (name, bars[name], wanted)  # less the lines between parts
