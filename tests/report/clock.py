"""clock.py REPORT: launches of each series begin and end on its clock, one after the other."""
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
assert data["series"], "no run has a series"
for series in data["series"]:
    until = series["rows"][-1][series["columns"].index("until")]
    launches = sorted(series["launches"], key=lambda launch: launch["begin"])
    assert launches and all(launch["begin"] < launch["end"] <= until for launch in launches), (launches, until)
    assert all(one["end"] <= other["begin"] for one, other in zip(launches, launches[1:])), launches
