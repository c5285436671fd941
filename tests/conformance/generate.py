#!/usr/bin/env python3
"""Writes the PTX conformance suite, tests/conformance/ptx/*.ptx.

Expected results are computed here from the definitions in the PTX manual, with Python's integers and exact rationals; nothing
is taken from a simulator's output. `--check` only says whether the files in the tree are those that would be written;
`--assemble PTXAS` also has each file assembled.
"""
import argparse
import importlib
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
FAMILIES = ["integer", "floating", "conversion", "comparison", "memory", "warp", "control", "state", "narrow", "extended", "tensor",
            "tiles", "warp_group", "asynchronous", "bulk", "system", "narrow_memory"]


def all_cases():
    names = set()
    for family in FAMILIES:
        for case in importlib.import_module(f"forms.{family}").cases():
            if case.name in names:
                sys.exit(f"two cases are called {case.name}")
            names.add(case.name)
            yield case


def assemble(ptxas, cases):
    failures = 0
    for case in cases:
        if not case.assembles:
            continue
        path = FOLDER / "ptx" / f"{case.name}.ptx"
        run = subprocess.run([ptxas, f"-arch={case.target}", str(path), "-o", "/dev/null"], capture_output=True, text=True)
        if run.returncode != 0:
            failures += 1
            print(run.stderr.strip())
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the tree's files differ")
    parser.add_argument("--assemble", metavar="PTXAS", help="assemble every file with this program")
    arguments = parser.parse_args()
    cases = list(all_cases())
    folder = FOLDER / "ptx"
    wanted = {f"{case.name}.ptx": case.file() for case in cases}
    present = {path.name: path.read_text() for path in folder.glob("*.ptx")}
    if arguments.check:
        stale = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
        print("\n".join(f"differs: {name}" for name in stale) or f"{len(wanted)} files are as generated")
        return 1 if stale else 0
    for name in present.keys() - wanted.keys():
        (folder / name).unlink()
    for name, text in wanted.items():
        if present.get(name) != text:
            (folder / name).write_text(text)
    print(f"{len(wanted)} files")
    return 1 if arguments.assemble and assemble(arguments.assemble, cases) else 0


if __name__ == "__main__":
    sys.exit(main())
