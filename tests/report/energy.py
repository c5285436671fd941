"""energy.py REPORT DOM: the energies that the driver saw, against the page's data."""
import base64
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
assert "energy" in seen["sections"], seen["sections"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

metrics = data["metrics"]
PREFIX = "timing.energy."


def metric(kernel, name):
    return kernel["values"][metrics.index(PREFIX + name)]


shown = seen["energy"]["numbers"]
assert len(shown) == len(data["kernels"]) == 2, shown
for kernel, row in zip(data["kernels"], shown):
    assert 0 < metric(kernel, "total.low") < metric(kernel, "total.value") < metric(kernel, "total.high")
    assert [float(text) for text in row[2:5]] == [metric(kernel, f"total.{bound}") for bound in ("value", "low", "high")], row
    units = [0 if text == "–" else float(text) for text in row[14:]]  # a machine has not every unit
    assert abs(sum(units) - metric(kernel, "total.value")) < 1e-9 * sum(units), "the units do not make up the total"
# Parts of a bar are shares of 100 %.
assert seen["energy"]["bars"] >= 2 * 5, seen["energy"]["bars"]
assert seen["energy"]["baselines"] == 3, seen["energy"]["baselines"]
