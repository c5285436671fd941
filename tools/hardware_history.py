"""The errors of both halves of the kernels by revision of the simulator (data/hardware/README.md, `history.csv`)."""
import csv
import datetime
import statistics
import subprocess
from pathlib import Path

from hardware_kernels import HALVES, half_of

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "data/hardware/history.csv"
COLUMNS = ["revision", "date", "machine", "measured", "half", "kernels", "mean", "median"]


def revision():
    """The commit of this tree, with a + where it has been changed since."""
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, capture_output=True, text=True).stdout.strip()
    return git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain", "--", "src", "configs") else "")


def read(file):
    """Its rows; none where there is no such file, or nothing in it."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    reader = csv.DictReader(text.splitlines())
    rows = list(reader)
    if text and reader.fieldnames != COLUMNS:
        raise SystemExit(f"compare-hardware: {file} has other columns than {', '.join(COLUMNS)}: name another file, or move this one away")
    return rows


def append(file, machine, measured, kernels):
    """A row for each half that has kernels."""
    today = datetime.date.today().isoformat()
    with file.open("a", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        if out.tell() == 0:
            writer.writerow(COLUMNS)
        for half in reversed(HALVES):
            errors = [abs(kernel.error) for kernel in kernels if half_of(kernel.kernel) == half]
            if errors:
                writer.writerow([revision(), today, machine, measured, half, len(errors), f"{statistics.mean(errors):.4f}", f"{statistics.median(errors):.4f}"])
