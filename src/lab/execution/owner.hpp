// Who runs what: a process, by its number, its start and the boot of its machine, so that a run whose process is gone is known to be free.
#pragma once

#include <string>

namespace warpwright::lab {

// This process: "process BOOT PID START".
std::string thisProcess();

// Written by thisProcess(), of whichever process.
bool isProcess(const std::string& owner);

// A process of this machine that still lives. Of another boot or another machine: false, as a store belongs to one machine (WAL).
bool lives(const std::string& owner);

}  // namespace warpwright::lab
