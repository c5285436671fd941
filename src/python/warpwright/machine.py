"""Machines and mechanisms as objects."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from . import _native

Value = Union[bool, int, str]


@dataclass(frozen=True)
class Setting:
    """A key of a machine or a setting of a mechanism: what it means, which values it takes, and its default, as a machine file writes it."""

    name: str
    unit: str
    range: str
    text: str
    default: str


@dataclass(frozen=True)
class Mechanism:
    """What a machine may have beyond the baseline (docs/mechanisms.md)."""

    name: str
    text: str
    paper: str
    timed: bool
    """It changes or counts what only a timed simulation has."""
    settings: Mapping[str, Setting] = field(repr=False)
    counts: Mapping[str, str] = field(repr=False)
    """What it counts on the timed machine, and what each number means; in statistics below `timing.counters.gpu.mechanisms`; there, names have `_`
    for `-`."""


def mechanisms() -> dict[str, Mechanism]:
    """All mechanisms by name, those of plug-ins (WARPWRIGHT_PLUGINS) among them."""
    result = {}
    for each in json.loads(_native.mechanism_list()):
        settings = {setting["name"]: Setting(**setting) for setting in each.pop("settings")}
        counts = {count["name"]: count["text"] for count in each.pop("counts")}
        result[each["name"]] = Mechanism(settings=settings, counts=counts, **each)
    return result


def machines() -> list[str]:
    """The names of the machines that come with the simulator."""
    return _native.machine_names()


def machine_keys() -> dict[str, Setting]:
    """Every key of a machine (docs/machines.md)."""
    return {each["key"]: Setting(each["key"], *(each[part] for part in ("unit", "range", "text", "default"))) for each in json.loads(_native.machine_keys())}


def override(key: str, value: Value) -> str:
    """`key=value` as the simulator reads it."""
    return f"{key}={str(value).lower() if isinstance(value, bool) else value}"


class Machine(Mapping):
    """A machine: a preset or a machine file, with changed keys. Reading it as a mapping gives every key its value.

        machine = Machine("gtx480", {"l1d.ways": 8})
        machine["l1d.bytes"]
        machine.replace({"l1d.bytes": 32768}).add("affine-tags")

    It does not change; `replace` and `add` make others. A key or value that is none is an `Error` that names the nearest.
    """

    def __init__(self, name: str = "v100", changes: Mapping[str, Value] | None = None):
        """`name`: of a preset, or the path of a machine file."""
        self.name = name
        self.changes = dict(changes or {})
        self.text = _native.machine_text(name, self.overrides)
        """The machine file that describes it, every key with its value."""
        self._values = dict(_flat(tomllib.loads(self.text)))

    @property
    def overrides(self) -> list[str]:
        """The changes as `--set` of the command takes them."""
        return [override(key, value) for key, value in self.changes.items()]

    def replace(self, changes: Mapping[str, Value]) -> Machine:
        """The same machine with further changes."""
        return Machine(self.name, {**self.changes, **changes})

    def add(self, mechanism: str | Mechanism, settings: Mapping[str, Value] | None = None) -> Machine:
        """The same machine with a mechanism."""
        name = mechanism.name if isinstance(mechanism, Mechanism) else mechanism
        table = f"mechanism.{name}"
        return self.replace({table: True, **{f"{table}.{key}": value for key, value in (settings or {}).items()}})

    @property
    def mechanisms(self) -> list[str]:
        """The names of the mechanisms that it has."""
        return list(tomllib.loads(self.text).get("mechanism", {}))

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Machine({self.name!r}{f', {self.changes!r}' if self.changes else ''})"


def _flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{path}{key}.")
        else:
            yield path + key, value
