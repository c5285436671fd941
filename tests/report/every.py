"""every.py DOM: what holds of every page, as the driver saw it."""
import base64
import json
import re
import sys

dom = open(sys.argv[1], encoding="utf-8").read()
found = re.search(r'id="seen">([^<]*)<', dom)
assert found, "the driver did not come to its end"
seen = json.loads(base64.b64decode(found.group(1)))
assert seen["charts"] > 0, "there is no chart"
for faults in ("collisions",):
    assert not seen[faults], f"{faults}:\n" + "\n".join(seen[faults])
