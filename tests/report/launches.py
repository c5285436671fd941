"""launches.py REPORT DOM WIDTH: where launches begin, in issue slots over time as the driver saw them, against the page's data."""
import base64
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))["launches"]

program = {run["run"]: run["program"] for run in data["runs"]}
series = [each for each in data["series"] if program[each["run"]] == program[data["series"][0]["run"]]]
expected = sorted((launch["name"], f"cycles {launch['begin']:,} to {launch['end']:,}") for each in series for launch in each["launches"])
shown = sorted((text.split("\n")[0], text.split("\n")[-1]) for text in seen["lines"])
assert shown == expected, f"lines are of {shown}, not of {expected}"

# Names stand beside the lines where there is room: never those of short launches, and a long one in a wide window only.
LONG = "a_kernel_with_a_long_name_that_goes_on"
for name in {name for name, _ in expected}:
    has_room = not name.startswith("short") and (name != LONG or int(sys.argv[3]) > 1000)
    assert seen["names"].count(name) == (len(series) if has_room else 0), (name, seen["names"])
