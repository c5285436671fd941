"""Plots for notebooks, on matplotlib. Each function draws into `axes`, or into axes of its own, and returns them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._optional import pandas, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from .simulator import Simulator

_SLOTS = "timing.counters.gpu.sm.slots."


def bars(frame: DataFrame, ylabel: str = "", axes: Axes | None = None) -> Axes:
    """A group of bars for each row, a bar for each column: what `Simulator.frame` and `lab.Store.table` give."""
    axes = frame.plot.bar(ax=_axes(axes), rot=45)
    axes.set_ylabel(ylabel)
    return axes


def stalls(source: Union[Simulator, DataFrame], axes: Axes | None = None) -> Axes:
    """What the issue slots of each kernel were used for and lost to, as shares: of a timed Simulator, or of a frame with a column for
    each, such as `lab.Store.metrics()` gives."""
    shares = slot_shares(source)
    axes = shares.plot.barh(stacked=True, ax=_axes(axes), cmap="tab20")
    axes.set_xlabel("share of issue slots")
    axes.set_xlim(0, 1)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


def slot_shares(source: Union[Simulator, DataFrame]) -> DataFrame:
    """What `stalls` draws: a row a kernel, a column a use of issue slots; each row makes 1."""
    frame = source if isinstance(source, pandas().DataFrame) else source.frame()
    slots = frame[[name for name in frame.columns if str(name).startswith(_SLOTS)]]
    if slots.empty:
        raise _native.Error("error: there are no issue slots here\n  remedy: simulate with time, and launch a kernel first")
    if "kernel" in frame.columns:
        slots = slots.groupby(frame["kernel"]).sum()
    slots = slots.rename(columns=lambda name: name[len(_SLOTS) :])
    slots = slots.loc[:, (slots != 0).any()]
    return slots.div(slots.sum(axis=1), axis=0)


def series(source: Union[str, os.PathLike, DataFrame], *columns: str, axes: Axes | None = None) -> Axes:
    """Counters over time: of the CSV file of a simulator with `series`, or of what `lab.Store.series` gives."""
    frame = source if isinstance(source, pandas().DataFrame) else pandas().read_csv(source)
    for column in columns:
        if column not in frame:
            raise _native.Error(f"error: there is no column '{column}'\n  remedy: the columns are {', '.join(frame.columns)}")
    axes = frame.plot(x="until", y=list(columns) or ["warp_ipc"], ax=_axes(axes), drawstyle="steps")
    axes.set_xlabel("core cycle")
    return axes


def _axes(axes: Axes | None) -> Any:
    return axes if axes is not None else pyplot().subplots()[1]
