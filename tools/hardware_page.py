"""The comparison with a GPU as a page for a browser (docs/report.md, "A comparison with a GPU")."""
import csv
import html
import json
from pathlib import Path

from hardware_counters import SHARE_NAMES
from hardware_kernels import HALVES, LEAST, by_kernel, errors_of, half_of

TEMPLATE = Path(__file__).resolve().parent.parent / "report/dist/page.html"


def filled(title, data):
    """The page with its data, of which nothing can become markup."""
    script = json.dumps(data, allow_nan=False).replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")
    # The data first: a title that looks like a mark is then no mark. The title's mark comes before all data.
    return TEMPLATE.read_text(encoding="utf-8").replace("{{data}}", script, 1).replace("{{title}}", html.escape(title, quote=False), 1)


def gpu_of(folder):
    """Its name, as the driver gives it."""
    file = folder / "machine.txt"
    rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()[:2])) if file.exists() else []
    return rows[1][0] if len(rows) == 2 else folder.name


def with_half(kernel):
    return {**kernel._asdict(), "half": half_of(kernel.kernel)}


def groups_of(kernels):
    """The figures of both halves and of all, at each size and at all sizes."""
    sizes = list(dict.fromkeys(each.size for each in kernels))
    for half in [*reversed(HALVES), None]:
        for size in [*sizes, None]:
            group = [each for each in kernels if half in (None, half_of(each.kernel)) and size in (None, each.size)]
            if len(group) >= LEAST:
                yield {"half": half, "size": size, **errors_of(group)._asdict()}


def by_counter(compared):
    """Of each counter, the kernels of which it was compared."""
    found = {}
    for each in compared:
        found.setdefault(each.quantity, []).append(with_half(each))
    return [{"name": name, "is_share": name in SHARE_NAMES, "values": values} for name, values in found.items()]


def history_of(rows, machine, measured):
    rows = [row for row in rows if (row["machine"], row["measured"]) == (machine, measured)]
    return [{**row, "kernels": int(row["kernels"]), "mean": float(row["mean"]), "median": float(row["median"])} for row in rows]


class Page:
    """Is written where the options ask for it."""

    def __init__(self, options, sizes, planned, warning):
        self.file = options.html
        self.about = {"machine": options.machine, "measured": options.folder.name, "gpu": gpu_of(options.folder), "half": options.half, "sizes": sizes, "planned": planned, "warning": warning}

    def write(self, done, found, past):
        if not self.file:
            return
        kernels = by_kernel(found.launches)
        data = {**self.about, "done": done, "kernels": list(map(with_half, kernels)), "errors": list(groups_of(kernels)), "counters": by_counter(found.counters),
                "instructions": list(map(with_half, found.instructions)), "executed": by_counter(pair for each in found.instructions for pair in each.compared()),
                "history": history_of(past, self.about["machine"], self.about["measured"])}
        unfinished = self.file.with_name(f"{self.file.name}.part")
        unfinished.write_text(filled(f"{self.about['machine']} beside {self.about['gpu']}", {"writer": "tools/compare-hardware", "hardware": data}), encoding="utf-8")
        unfinished.replace(self.file)
