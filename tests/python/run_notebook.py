#!/usr/bin/env python3
"""Runs the code cells of a notebook one after the other in one namespace, as a kernel of Jupyter would; what they assert must hold.
usage: run_notebook.py NOTEBOOK"""

import json
import sys
import traceback


def main(file):
    with open(file, encoding="utf-8") as opened:
        notebook = json.load(opened)
    namespace = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if not code:
        sys.exit(f"{file}: there is no code")
    for number, cell in enumerate(code, 1):
        if cell["outputs"] or cell["execution_count"] is not None:
            sys.exit(f"{file}: code cell {number} has outputs; clear them, they depend on the compiler")
        # Lines that start with % are Jupyter's own.
        source = "".join(line for line in cell["source"] if not line.startswith("%"))
        try:
            exec(compile(source, f"cell {number}", "exec"), namespace)
        except Exception:
            traceback.print_exc()
            sys.exit(f"{file}: code cell {number} fails:\n{source}")


main(sys.argv[1])
