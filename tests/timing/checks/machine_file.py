"""The resolved machine file, as `warpwright machines` prints it."""

import math
import subprocess
import tomllib

HEADER_BYTES = 8  # of a packet, besides its data


class Machine:
    def __init__(self, warpwright, name, overrides=()):
        self.options = ["--machine", name, *(f"--set={each}" for each in overrides)]
        command = [warpwright, "machines", name, *(f"--set={each}" for each in overrides)]
        self.file = tomllib.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def __call__(self, key):
        value = self.file
        for part in key.split("."):
            value = value[part]
        return value

    def flits(self, data_bytes):
        return math.ceil((HEADER_BYTES + data_bytes) / self("network.flit_bytes"))

    @property
    def slices(self):
        return self("dram.channels") * self("partition.slices")


def one_clock(warpwright, name):
    """The machine with every clock that of its core, without hashing of channels and without refresh, so that the ways to memory can be
    added up."""
    machine = Machine(warpwright, name)
    core = machine("chip.core_clock_khz")
    clocks = [f"{part}.clock_khz={core}" for part in ("network", "partition", "dram")]
    # CUDA's memory clock counts two transfers a tick.
    memory = f"chip.memory_clock_khz={core * machine('dram.data_rate') // 2}"
    refresh = ["dram.t_refi=0", "dram.t_rfc=0"]
    return Machine(warpwright, name, [*clocks, memory, *refresh, "dram.hash_channels=false"])
