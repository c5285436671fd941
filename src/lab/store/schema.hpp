// The tables and views of a store, version by version. docs/lab.md describes the views; they are what others may rely on.
#pragma once

#include <span>

#include "lab/store/database.hpp"

namespace warpwright::lab {

// SQL that makes version i + 1 of version i; the first makes an empty file a store. What was released is never changed, only added to.
std::span<const char* const> migrations();

// Brings the database to the last version, step by step, each in a transaction of its own. Throws Error for a database of another
// program, and for one of a later version.
void migrate(Database& database, std::span<const char* const> steps = migrations());

}  // namespace warpwright::lab
