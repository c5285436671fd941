"""stress.py REPORT: the page with data that charts have little room for: long names, long numbers, a value below zero, many launches."""
import json
import re
import sys

MACHINES = [
    "gtx480 sm.memory.cache_global_loads=true l1d.hit_latency=20",
    "gtx480 sm.memory.cache_global_loads=false l1d.hit_latency=90 l2.hit_latency=90",
]
PROGRAM = "a_program_with_a_name_that_is_as_long_as_its_purpose"


def stressed(data):
    machines = dict(zip(dict.fromkeys(run["machine"] for run in data["runs"]), MACHINES))
    program = data["runs"][-1]["program"]
    for place in [data["experiment"]["baseline"], *data["runs"], *data["rows"], *data["means"]]:
        if "machine" in place:
            place["machine"] = machines[place["machine"]]
        if place.get("program") == program:
            place["program"] = PROGRAM
    for number, kernel in enumerate(data["kernels"]):
        kernel["values"] = [value and value * (1 + number % 5) * 1234.567 for value in kernel["values"]]
        kernel["launches"] = [[launch + 1, [launch + 1, 2, 1], 100 * launch, 7] for launch in range(3)]
    for number, row in enumerate(data["rows"]):
        row["values"] = [value and value * (1 + number % 3) * 12345.678 for value in row["values"]]
    if data["rows"][0]["values"][0] is not None:
        data["rows"][0]["values"][0] *= -0.7
    for number, mean in enumerate(data["means"]):
        mean["values"] = [value and value * 1234567.891 * (1 + number) for value in mean["values"]]
    for series in data["series"]:
        series["launches"] = launches(series["rows"][-1][1])


def launches(end):
    """Three that last, and as many short ones as leave no room for names."""
    long = [("first_of_all", 0.0, 0.3), ("a_kernel_with_a_long_name_that_goes_on", 0.3, 0.55), ("third", 0.55, 0.8)]
    short = [(f"short_{number}", 0.8 + number / 200, 0.8 + (number + 1) / 200) for number in range(40)]
    return [{"name": name, "begin": round(end * begin), "end": round(end * until)} for name, begin, until in long + short]


path = sys.argv[1]
page = open(path, encoding="utf-8").read()
head, text, tail = re.split(r'(?<=<script type="application/json" id="data">)(.*?)(?=</script>)', page, maxsplit=1, flags=re.DOTALL)
data = json.loads(text)
stressed(data)
escaped = json.dumps(data).replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")
open(path, "w", encoding="utf-8").write(head + escaped + tail)
