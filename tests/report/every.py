"""every.py DOM: what holds of every page, as the driver saw it."""
import base64
import csv
import io
import json
import math
import re
import sys

dom = open(sys.argv[1], encoding="utf-8").read()
found = re.search(r'id="seen">([^<]*)<', dom)
assert found, "the driver did not come to its end"
seen = json.loads(base64.b64decode(found.group(1)))
assert seen["charts"] > 0, "there is no chart"
for faults in ("collisions", "access", "svgFaults"):
    assert not seen[faults], f"{faults}:\n" + "\n".join(seen[faults])

# Every chart has its numbers as a file: as many rows as it says it has points, the measured ones in the last column, with their unit.
assert len(seen["files"]) == seen["charts"], (len(seen["files"]), seen["charts"])
assert len({file["name"] for file in seen["files"]}) == len(seen["files"]), "two charts have files of one name"
for file in seen["files"]:
    header, *rows = csv.reader(io.StringIO(file["text"], newline=""))
    points = int(re.search(r"(\d+) points?, ", file["label"]).group(1))
    assert len(rows) == points and all(len(row) == len(header) for row in rows), (file["title"], points, len(rows))
    assert file["bars"] in (0, points), f"{file['title']}: {points} points, but {file['bars']} bars"
    assert re.fullmatch(r".+ \(.+\)", header[-1]), f"{file['title']}: the header has no unit: {header}"
    for row in rows:
        assert row[-1] == "" or math.isfinite(float(row[-1])), row

# On paper all is open and nothing is a control, sections begin on pages of their own; afterwards all is as it was.
paper = seen["paper"]
assert paper == {"folded": 0, "controls": [], "together": [], "left": 0}, paper
