"""spe.py REPORT DOM: what the cycles of SPEs were spent on and where, as the driver saw it, against the page's data."""
import base64
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
assert "spe" in seen["sections"] and "stalls" not in seen["sections"], seen["sections"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

cycles = data["metrics"].index("spe.cycles")
shown = seen["spe"]["numbers"]
assert len(shown) == len(data["kernels"]) == 4, shown
for kernel, row in zip(data["kernels"], shown):
    counts = [0 if text == "–" else float(text) for text in row[2:]]
    assert counts[0] == kernel["values"][cycles], row
    assert sum(counts[1:]) == counts[0], f"every cycle is spent on one thing: {row}"
    code = kernel["code"]["lines"]
    assert kernel["code"]["instructions"] == len(code)
    assert sum(line["times"] for line in code) == kernel["values"][data["metrics"].index("spe.instructions")]
    lost = sum(count for line in code for count in line["lost"].values())
    assert lost == sum(counts[3:]), "the listing and the bar disagree about what was lost"
assert seen["spe"]["bars"] >= 2 * 4, seen["spe"]["bars"]
assert seen["spe"]["baselines"] >= 3, seen["spe"]["baselines"]
assert len(seen["kernels"]) == 2, seen["kernels"]
for kernel in seen["kernels"]:
    assert len(kernel["lines"]) > 20 and kernel["lost"] > 2, f"{kernel['name']}: no listing"
