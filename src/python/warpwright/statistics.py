"""Statistics as flat dictionaries and as pandas frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._optional import pandas

if TYPE_CHECKING:
    from pandas import DataFrame

_SHAPE = ("grid", "block")


def flat(statistics: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of nested dictionaries with their dotted paths; None, of a rate of nothing, stays None."""
    for name, value in statistics.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{path}{name}.")
        elif value is None or isinstance(value, (int, float)):
            yield path + name, value


def kernel_frame(kernels: Sequence[Mapping[str, Any]], paths: Sequence[str]) -> DataFrame:
    """A row a kernel, by its signature; a column a path, or every number where none is asked for."""
    for path in paths:
        _native.require_statistic(path)
    rows = {kernel["signature"]: dict(flat(kernel)) for kernel in kernels}
    frame = pandas().DataFrame.from_dict(rows, orient="index")
    frame.index.name = "kernel"
    return frame.reindex(columns=list(paths)) if paths else frame


def launch_frame(kernels: Sequence[Mapping[str, Any]]) -> DataFrame:
    """A row a timed launch, in their order."""
    rows = []
    for kernel in kernels:
        for launch in kernel.get("timing", {}).get("launches", []):
            shape = {name: "x".join(map(str, launch[name])) for name in _SHAPE}
            rows.append({"launch": launch["launch"], "kernel": kernel["signature"], **shape, **dict(flat(launch))})
    frame = pandas().DataFrame(rows, columns=None if rows else ["launch", "kernel", *_SHAPE])
    return frame.set_index("launch").sort_index()


def line_frame(kernels: Sequence[Mapping[str, Any]]) -> DataFrame:
    """A row a source line of a kernel; what did not happen at a line is 0."""
    rows = []
    for kernel in kernels:
        timed = {(line["file"], line["line"]): line for line in kernel.get("timing", {}).get("lines", [])}
        for line in kernel.get("lines", []):
            where = (line["file"], line["line"])
            timing = {f"timing.{path}": value for path, value in flat(timed.get(where, {})) if path != "line"}
            rows.append({"kernel": kernel["signature"], "file": where[0], **dict(flat(line)), **timing})
    if not rows:
        return pandas().DataFrame(columns=["kernel", "file", "line"]).set_index(["kernel", "file", "line"])
    return pandas().DataFrame(rows).set_index(["kernel", "file", "line"]).fillna(0)
