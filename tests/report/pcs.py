"""pcs.py REPORT DOM: the PC histogram that the driver saw, against the page's data."""
import base64
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
assert "pc-histogram" in seen["sections"], seen["sections"]
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

(kernel,) = data["kernels"]
histogram = kernel["pc_histogram"]
line_of = {each["pc"]: each["ptx_line"] for each in histogram["instructions"]}
(launch,) = histogram["launches"]
assert launch["interval"] == 512, "samples were made one"


def means(row_of, block=None):
    """Threads by row of the chart, of the samples in which there are any."""
    rows = [row for row in launch["rows"] if block in (None, row[1])]
    samples = len({row[0] for row in rows})
    result = {}
    for _, _, pc, threads in rows:
        result[row_of[pc]] = result.get(row_of[pc], 0) + threads / samples
    return rows, result


def check(numbers, expected):
    shown = {int(row[0]): float(row[2]) for row in numbers}
    assert shown.keys() == expected.keys(), (shown, expected)
    for line, threads in expected.items():
        assert abs(shown[line] - threads) < 1e-6 * threads, (line, shown[line], threads)
    assert abs(sum(float(row[3]) for row in numbers) - 1) < 1e-6, "shares do not add up"


rows, expected = means(line_of)
shown = seen["pcHistogram"]
assert shown["cells"] == len({(row[0], line_of[row[2]]) for row in rows}), shown["cells"]
check(shown["numbers"], expected)
assert abs(sum(expected.values()) - histogram["figures"]["threads"]) < 1e-6, (sum(expected.values()), histogram["figures"])
blocks = sorted({row[1] for row in launch["rows"]})
assert len(blocks) > 2 and shown["blocks"] == 1 + len(blocks), (blocks, shown["blocks"])
# The driver's last choices: the last block, by instruction.
assert shown["lines"] == 3, shown["lines"]
check(shown["last"], means({pc: pc for pc in line_of}, blocks[-1])[1])
print(f"PC histogram of the report: {len(rows)} counts, {len(blocks)} blocks agree")
