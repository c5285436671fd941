// A run's profile, cut into the rows that the store keeps.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::lab {

struct KernelRow {
  std::string name, signature, label;
  std::string statistics, lists;         // JSON objects
  std::vector<std::string> sourceFiles;  // that its lines name
};

struct SourceFile {
  std::string path, hash, text;
};

// Of the JSON of `warpwright run --json`.
std::vector<KernelRow> kernelRows(const std::string& profile);
// The texts of those files that can be read.
std::vector<SourceFile> sourcesOf(const std::vector<KernelRow>& kernels);

void addKernelRows(SQLite::Database& database, s64 run, const std::vector<KernelRow>& kernels);
void addSources(SQLite::Database& database, s64 run, const std::vector<SourceFile>& sources);
void addSeries(SQLite::Database& database, s64 run, const std::string& csv);

}  // namespace warpwright::lab
