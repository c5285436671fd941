"""hardware.py REPORT: writes the page of a comparison of a made-up GPU with a made-up simulator.

hardware.py REPORT DOM: what the driver saw of it, against what was made up.
"""
import base64
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "timing/checks"))
from made_up_gpu import KERNELS, ROOT, SIZES, write_measurements, write_simulator  # noqa: E402

COMPARISONS = 2


def write(report):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_measurements(folder)
        command = [ROOT / "tools/compare-hardware", write_simulator(folder), folder, "made-up", "--programs", folder]
        for _ in range(COMPARISONS):
            subprocess.run([*command, "--counters", "--instructions", "--history", folder / "history.csv", "--html", report], check=True, stdout=subprocess.DEVNULL)


def distance(row):
    return abs(float(row[6]))


def check(report, dom):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', report.read_text(encoding="utf-8"), re.DOTALL).group(1))["hardware"]
    seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', dom.read_text(encoding="utf-8")).group(1)))
    assert seen["sections"] == ["overview", "times", "counters", "instructions", "history"], seen["sections"]
    assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"

    rows = seen["times"]["numbers"]
    assert len(rows) == seen["times"]["dots"] == len(KERNELS) * len(SIZES), (len(rows), seen["times"]["dots"])
    assert [distance(row) for row in rows] == sorted(map(distance, rows), reverse=True), "the largest error is not first"
    halves = {each["kernel"]: each["half"] for each in data["kernels"]}
    for kernel, size, half, launches, gpu, ours, error, _ in rows:
        name = kernel.removeprefix("program · ")
        assert [1e3 * float(gpu), 1e3 * float(ours)] == list(KERNELS[name]) and size in SIZES and half == halves[name] and launches == "1", (kernel, size, half, gpu, ours)
        assert abs(float(error) - (KERNELS[name][1] / KERNELS[name][0] - 1)) < 1e-9, (kernel, error)

    assert len(seen["counters"]) == len(data["counters"]), len(seen["counters"])
    for chart, counter in zip(seen["counters"], data["counters"]):
        assert len(chart["numbers"]) == chart["dots"] == len(KERNELS), chart
        for row, value in zip([row[3:] for row in chart["numbers"]], sorted(counter["values"], key=lambda each: each["ours"] / each["gpu"])):
            expected = 100 * (value["ours"] - value["gpu"]) if counter["is_share"] else value["ours"] / value["gpu"]
            assert abs(float(row[2]) - expected) < 1e-9, (chart["title"], row)
    ratios = [float(row[6]) for row in seen["instructions"]["numbers"]]
    assert len(ratios) == len(KERNELS) * len(SIZES) and ratios == sorted(ratios, reverse=True), ratios
    assert seen["instructions"]["charts"] == len(data["executed"]), seen["instructions"]["charts"]

    # A row for each half and comparison; two charts, with a line for each half.
    assert len(seen["history"]["numbers"]) == len(data["history"]) == 2 * COMPARISONS, seen["history"]
    assert seen["history"]["lines"] == 4 and seen["history"]["dots"] == 2 * len(data["history"]), seen["history"]
    print(f"A GPU beside the simulator: {len(rows)} times and {len(seen['counters'])} counters agree")


if len(sys.argv) == 2:
    write(Path(sys.argv[1]))
else:
    check(Path(sys.argv[1]), Path(sys.argv[2]))
