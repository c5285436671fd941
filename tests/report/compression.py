"""compression.py REPORT DOM: the pieces of compressed lines that the driver saw, against the page's data."""
import base64
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
assert "compression" in seen["sections"], seen["sections"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

PREFIX = "timing.counters.gpu.mechanisms.line_compression."
COLUMNS = ["figures.ratio", "figures.metadata_hit_rate", "compressed_reads", "compressed_writes", "merged_writes", "compressed_arrivals",
           "compressed_stores", "overflows", "compared_lines", "wrong_lines"]


def metric(kernel, name):
    """0 for what is 0 everywhere, which the page's data leave out."""
    name = PREFIX + name
    return kernel["values"][data["metrics"].index(name)] or 0 if name in data["metrics"] else 0


kernels = [kernel for kernel in data["kernels"] if metric(kernel, "uncompressed_pieces") > 0]
shown = seen["compression"]["numbers"]
# Kernels of the machine without the mechanism have no row.
assert len(data["kernels"]) == 4 and len(kernels) == len(shown) == 2, shown
for kernel, row in zip(kernels, shown):
    assert row[1] == "compressed", row
    assert [0 if text == "–" else float(text) for text in row[2:]] == [metric(kernel, name) for name in COLUMNS], row

# A bar is what was moved and, where there was something to save, what was saved; both together are all pieces.
texts = sorted(bar["text"] for bar in seen["compression"]["bars"])
shares = [metric(kernel, "pieces") / metric(kernel, "uncompressed_pieces") for kernel in kernels]
assert all(0.5 < share < 1 for share in shares), shares
assert len(texts) == 2 * len(kernels), texts
for name, parts in (("moved", shares), ("saved by compression", [1 - share for share in shares])):
    found = sorted(float(re.search(name + r": ([0-9.]+)", text).group(1)) for text in texts if name + ":" in text)
    assert len(found) == len(parts) and all(abs(value - 100 * part) <= 0.06 for value, part in zip(found, sorted(parts))), (name, found, parts)
widths = [bar["width"] for bar in seen["compression"]["bars"]]
assert all(width > 0 for width in widths), widths
