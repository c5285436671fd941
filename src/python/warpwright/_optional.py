"""Packages that only some functions need."""

import importlib
from types import ModuleType


def require(name: str, package: str) -> ModuleType:
    """The module `name`; where it is missing, an ImportError that says which Debian package brings it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs {name}: apt-get install {package}") from error


def pandas() -> ModuleType:
    return require("pandas", "python3-pandas")


def pyplot() -> ModuleType:
    return require("matplotlib.pyplot", "python3-matplotlib")
