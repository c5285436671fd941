"""profile.py STORE DOM: the profile of private memory that the driver saw, against the store."""
import base64
import json
import re
import sqlite3
import sys

store = sqlite3.connect(sys.argv[1])
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
assert "private-memory" in seen["sections"], seen["sections"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

CLASSES = ["zero", "uniform", "affine", "generic"]
expected, global_lines = {}, {}
rows = store.execute("SELECT program, kernel, parameters, statistics FROM kernel_list WHERE program = 'lud' AND machine = 'fermi-avc' "
                     "AND json_extract(statistics, '$.mechanisms.memory_classes') IS NOT NULL")
for program, kernel, parameters, statistics in rows:
    counted = json.loads(statistics)["mechanisms"]["memory_classes"]
    place = f"{program} · {kernel}", int(json.loads(parameters)["max_registers"])
    for way in ("loads", "stores"):
        for name in CLASSES:
            expected[*place, f"{way}, {name}"] = counted["private"][way][name] / counted["instructions"]
    global_lines[place] = counted["global_lines"] / counted["instructions"]
assert len(global_lines) == 9, global_lines
assert sum(value > 0 for value in expected.values()) > 9, expected

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
    if registers == 32 and value > 0:
        drawn[f"{kernel}, global memory"] = value
assert bars.keys() == drawn.keys(), bars.keys() ^ drawn.keys()
longest = max(drawn, key=drawn.get)
for name, value in drawn.items():
    wanted = bars[longest] * value / drawn[longest]
    assert abs(bars[name] - wanted) <= 0.02 * wanted + 0.8, (name, bars[name], wanted)  # less the lines between parts
