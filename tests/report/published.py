"""published.py REPORT DOM OUTPUT: a paper's evaluation as the driver saw it, against the page's data and what the command printed."""
import base64
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
paper = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))["paper"]
seen = json.loads(base64.b64decode(re.search(r'id="seen">([^<]*)<', open(sys.argv[2], encoding="utf-8").read()).group(1)))
printed = open(sys.argv[3], encoding="utf-8").read()
assert seen["sideways"] <= 0, f"the page is {seen['sideways']} pixels wider than the window"
assert paper["title"] in seen["heading"] and paper["title"] in printed, seen["heading"]


def squeezed(*words):
    return " ".join(" ".join(words).split())


lines = [squeezed(line) for line in printed.splitlines()]


def check_row(row, value):
    texts = value["texts"]
    assert row[0] == value["name"] and row[3] == (texts["difference"] or "–"), (row, value)
    for cell, number, text in ((row[1], value["published"], texts["published"]), (row[2], value["ours"], texts["ours"])):
        assert cell == text if number is None else float(cell) == number, (row, value)
    assert squeezed(value["name"], *texts.values()) in lines, f"not printed: {value}"


# All that was printed is on the page, in its order: titles, rows, notes. A bar for each pair of numbers; its length is ours over the published.
assert len(seen["items"]) == len(paper["items"]) == paper["planned"] == int(seen["cards"][0]), seen["cards"]
for shown, item in zip(seen["items"], paper["items"]):
    assert shown["heading"] == item["title"], (shown["heading"], item["title"])
    assert len(shown["numbers"]) == len(item["values"]) > 0, shown
    for row, value in zip(shown["numbers"], item["values"]):
        check_row(row, value)
    pairs = [value for value in item["values"] if value["published"] and value["ours"] is not None]
    assert len(shown["bars"]) == len(pairs), (item["title"], len(shown["bars"]), len(pairs))
    for value in pairs:
        assert abs(value["relative"] * value["published"] - value["ours"]) <= 1e-9 * abs(value["ours"]), value
    for note in item["notes"]:
        assert note in shown["notes"] and squeezed(note) in lines, note
titles = [item["title"] for item in paper["items"]]
assert [line for line in lines if line in titles] == titles, "titles in another order than printed"
print(f"Paper {paper['id']}: {len(titles)} items agree")
