"""map.py REPORT DOM: the map over two parameters that the driver saw, against the page's data."""
import base64
import json
import math
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
assert "map" in seen["sections"], seen["sections"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

DOWN, ACROSS = data["experiment"]["parameters"]
assert {DOWN, ACROSS} == {"l1d.hit_latency", "l1d.bytes"}
(slower,) = (i for i, column in enumerate(data["experiment"]["columns"]) if column["name"] == "slower")


def of(row, column):
    return row["parameters"][DOWN], row["parameters"][ACROSS], row["values"][column]


def check(shown, expected):
    assert len(shown) == len(expected) == 6, (shown, expected)
    for down, across, value in shown:
        wanted = expected[down, across]
        assert abs(float(value) - wanted) <= 1e-9 * wanted, (down, across, value, wanted)


# At first the column that is relative already, as geometric means over the kernels; the first parameter downwards.
logarithms = {}
for row in data["rows"]:
    down, across, value = of(row, slower)
    logarithms.setdefault((down, across), []).append(math.log(value))
means = {place: math.exp(sum(values) / len(values)) for place, values in logarithms.items()}
at = lambda latency: means[(latency, "16384") if DOWN == "l1d.hit_latency" else ("16384", latency)]
assert at("20") == 1 and at("200") != 1, means  # a slower cache need not make the program slower
check(seen["map"]["numbers"], means)
# A cell each, all of one size, and a star at the least.
cells = seen["map"]["cells"]
assert len(cells) == 6 and {f"{DOWN} {down}, {ACROSS} {across}" for down, across in means} == {", ".join(cell["text"].split(", ")[1:3]) for cell in cells}, cells
assert len({(round(cell["width"], 3), round(cell["height"], 3)) for cell in cells}) == 1 and cells[0]["width"] > 0, cells
values = [float(row[2]) for row in seen["map"]["numbers"]]
assert sum(text.endswith(" *") for text in seen["map"]["texts"]) == values.count(min(values)), seen["map"]["texts"]

# What the driver could choose: nothing and every setting to compare with, every kernel and all of them, each parameter.
subjects = {(row["program"], row["kernel"]) for row in data["rows"]}
assert seen["map"]["baselines"] == 1 + 1 + 6 and seen["map"]["across"] == 2, seen["map"]
assert seen["map"]["subjects"] == 1 + len(subjects), (seen["map"]["subjects"], subjects)
print(f"Map of the report: {len(means)} cells agree")
