"""paper.py DOM: what the driver saw of the page as it was to be printed."""
import base64
import json
import re
import sys

dom = open(sys.argv[1], encoding="utf-8").read()
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', dom).group(1)))
paper, screen = seen["print"], seen["after"]
assert screen["highest"] > 800, f"no chart is higher than a page: {screen}"
assert paper["highest"] <= 800 and paper["widest"] <= 680, f"a chart does not fit on a page: {paper}"
assert paper["drawings"] > screen["drawings"], (paper, screen)
for marks in ("bars", "parts"):
    assert paper[marks] == screen[marks] > 0, f"cutting changes the number of {marks}: {paper}, {screen}"
