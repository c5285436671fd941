"""Stores of the lab (docs/lab.md) as pandas frames.

    store = warpwright.lab.read("lab.db")
    store.table("timing.counters.cycles", experiment="l1-capacity")
"""

from __future__ import annotations

import io
import json
import os
import pathlib
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._optional import pandas

if TYPE_CHECKING:
    from pandas import DataFrame, Series

_LABELS = ["experiment", "experiment_id", "program", "application", "machine", "kernel", "run"]


def read(file: str | os.PathLike) -> Store:
    """Opens a store, which it only reads: others may write to it meanwhile."""
    return Store(file)


class Store:
    """A store of the lab. Parameters of a sweep are columns, `parameter.NAME`."""

    def __init__(self, file: str | os.PathLike):
        path = pathlib.Path(file)
        if not path.is_file():
            raise _native.Error(f"{path}: error: there is no such store\n  remedy: `warpwright lab run` makes them")
        self.file = str(path)
        self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._query("SELECT experiment FROM run_list LIMIT 0")

    @property
    def experiments(self) -> DataFrame:
        """A row an experiment, the oldest first."""
        columns = "e.id, e.name, e.file, e.created, s.revision, e.text"
        return self._query(f"SELECT {columns} FROM experiments e JOIN simulators s ON s.id = e.simulator ORDER BY e.id").set_index("id")

    @property
    def runs(self) -> DataFrame:
        """A row a run of an experiment, in the order of the plan: its state, times, command (the view `run_list`)."""
        return _with_parameters(self._query("SELECT * FROM run_list ORDER BY experiment_id, position"))

    @property
    def kernels(self) -> DataFrame:
        """A row a kernel of a finished run, without its numbers, which `metrics` gives (the view `kernel_list`)."""
        columns = "experiment, experiment_id, position, program, application, machine, parameters, kernel, run, name, signature"
        return _with_parameters(self._query(f"SELECT {columns} FROM kernel_list ORDER BY experiment_id, position, kernel_position"))

    def metrics(self, *names: str, experiment: str | None = None) -> DataFrame:
        """A row a kernel of a finished run, a column each of the metrics ("timing.counters.cycles"); None of a name, every number that
        there is. A misspelt metric is an Error that names the nearest. `experiment`: NAME, or NAME@ID where there are several."""
        for name in names:
            _native.require_statistic(name)
        condition, values = self._condition(experiment)
        frame = self._query(f"SELECT * FROM kernel_list {condition} ORDER BY experiment_id, position, kernel_position", values)
        statistics = [json.loads(text) for text in frame.pop("statistics")]
        frame = _with_parameters(frame[[*_LABELS, "parameters"]])
        if names:
            numbers = pandas().DataFrame([{name: _number_at(each, name) for name in names} for each in statistics], columns=list(names))
        else:
            numbers = pandas().json_normalize(statistics).select_dtypes("number")
        return frame.join(numbers)

    def table(
        self,
        metric: str,
        experiment: str | None = None,
        index: Sequence[str] = ("program", "kernel"),
        columns: str | Sequence[str] = "machine",
        aggregate: str = "sum",
    ) -> DataFrame:
        """One metric as a table, kernels down and machines across unless asked otherwise. What falls into one cell is aggregated."""
        frame = self.metrics(metric, experiment=experiment)
        columns = [columns] if isinstance(columns, str) else list(columns)
        for name in (*index, *columns):
            if name not in frame:
                raise _native.Error(f"error: there is no column '{name}'\n  remedy: the columns are {', '.join(frame.columns)}")
        return frame.pivot_table(index=list(index), columns=columns, values=metric, aggfunc=aggregate)

    def series(self, run: int) -> DataFrame:
        """The counters over time of a run with `interval`; empty where there are none."""
        found = self._query("SELECT csv FROM series WHERE run = ?", [run])
        if found.empty:
            return pandas().DataFrame()
        return pandas().read_csv(io.StringIO(found["csv"][0]))

    def close(self) -> None:
        """Gives the file back."""
        self._connection.close()

    def _condition(self, experiment: str | None) -> tuple[str, list[Any]]:
        if experiment is None:
            return "", []
        known = self._query("SELECT id, name FROM experiments ORDER BY id")
        name, _, number = experiment.partition("@")
        found = known[(known["name"] == name) & (known["id"].astype(str) == number if number else True)]
        if found.empty:
            raise _native.Error(f"{self.file}: error: there is no experiment '{experiment}'\n  remedy: there are {', '.join(dict.fromkeys(known['name']))}")
        return "WHERE experiment_id = ?", [int(found["id"].iloc[-1])]

    def _query(self, sql: str, values: Sequence[Any] = ()) -> DataFrame:
        try:
            cursor = self._connection.execute(sql, values)
            return pandas().DataFrame(cursor.fetchall(), columns=[column[0] for column in cursor.description])
        except sqlite3.Error as error:
            remedy = f"`warpwright lab show --store {self.file}` brings an older store up to date, and says what else may be wrong"
            raise _native.Error(f"{self.file}: error: {error}\n  remedy: {remedy}") from error


def _with_parameters(frame: DataFrame) -> DataFrame:
    parameters = pandas().DataFrame([json.loads(text) for text in frame["parameters"]], index=frame.index)
    return frame.drop(columns="parameters").join(parameters.apply(_numeric).add_prefix("parameter."))


def _numeric(values: Series) -> Series:
    """The store has parameters as text; those that are numbers all become numbers."""
    try:
        return pandas().to_numeric(values)
    except ValueError:
        return values


def _number_at(statistics: dict[str, Any], path: str) -> float | None:
    value: Any = statistics
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
