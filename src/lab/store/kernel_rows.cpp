#include "lab/store/kernel_rows.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/demangle.hpp"
#include "base/file.hpp"
#include "lab/identity/hash.hpp"

namespace warpwright::lab {
namespace {

using Json = nlohmann::ordered_json;

// Moves a member from one object to another, where it may have another name.
void move(Json& from, const char* member, Json& to, const char* name) {
  if (!from.contains(member)) return;
  to[name] = std::move(from[member]);
  from.erase(member);
}

std::vector<std::string> filesOf(const Json& lines) {
  std::set<std::string> files;
  for (const Json& line : lines)
    if (line.at("file").is_string()) files.insert(line.at("file").get<std::string>());
  return {files.begin(), files.end()};
}

// Its figures are metrics too.
void movePcHistogram(Json& timing, Json& lists) {
  Json figures = timing["pc_histogram"].at("figures");
  move(timing, "pc_histogram", lists, "pc_histogram");
  timing["pc_histogram"] = {{"figures", std::move(figures)}};
}

KernelRow rowOf(Json kernel) {
  Json lists = Json::object();
  move(kernel, "findings", lists, "findings");
  move(kernel, "lines", lists, "lines");
  move(kernel, "data", lists, "data");
  move(kernel, "code", lists, "code");
  if (kernel.contains("timing")) {
    move(kernel["timing"], "lines", lists, "timing_lines");
    move(kernel["timing"], "launches", lists, "timing_launches");
    move(kernel["timing"], "computed_launches", lists, "computed_launches");
    for (const char* list : {"limits", "what_if", "units", "roofline"}) move(kernel["timing"], list, lists, list);
    if (kernel["timing"].contains("pc_histogram")) movePcHistogram(kernel["timing"], lists);
  }
  KernelRow row{kernel.at("name"), kernel.at("signature"), nameIn(kernel.at("signature")), {}, {}, {}};
  if (lists.contains("lines")) row.sourceFiles = filesOf(lists["lines"]);
  row.statistics = kernel.dump();
  row.lists = lists.dump();
  return row;
}

// Overloads and templates of one name are told apart by their parameters; the same kernel of two modules by a number.
void makeLabelsUnique(std::vector<KernelRow>& rows) {
  std::map<std::string, u32> ofName, ofLabel;
  for (const KernelRow& row : rows) ++ofName[row.label];
  for (KernelRow& row : rows) {
    if (ofName[row.label] > 1) row.label = row.signature.substr(row.signature.find(row.label));
    const u32 times = ++ofLabel[row.label];
    if (times > 1) row.label += fmt::format(" #{}", times);
  }
}

}  // namespace

std::vector<KernelRow> kernelRows(const std::string& profile) {
  std::vector<KernelRow> rows;
  Json all = Json::parse(profile);
  for (Json& kernel : all["kernels"]) rows.push_back(rowOf(std::move(kernel)));
  makeLabelsUnique(rows);
  return rows;
}

std::vector<SourceFile> sourcesOf(const std::vector<KernelRow>& kernels) {
  std::set<std::string> paths;
  for (const KernelRow& kernel : kernels) paths.insert(kernel.sourceFiles.begin(), kernel.sourceFiles.end());
  std::vector<SourceFile> sources;
  std::error_code failed;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_regular_file(path, failed)) continue;
    std::string text = readFile(path);
    std::string hash = hashOf(text);
    sources.push_back({path, std::move(hash), std::move(text)});
  }
  return sources;
}

void addKernelRows(SQLite::Database& database, s64 run, const std::vector<KernelRow>& kernels) {
  SQLite::Statement add(database,
                        "INSERT INTO kernels(run, position, name, signature, label, statistics, lists) VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelRow& kernel = kernels[i];
    add.bind(1, run);
    add.bind(2, static_cast<s64>(i));
    add.bind(3, kernel.name);
    add.bind(4, kernel.signature);
    add.bind(5, kernel.label);
    add.bind(6, kernel.statistics);
    add.bind(7, kernel.lists);
    add.exec();
    add.reset();
  }
}

void addSources(SQLite::Database& database, s64 run, const std::vector<SourceFile>& sources) {
  SQLite::Statement add(database, "INSERT OR IGNORE INTO sources(path, hash, text) VALUES (?, ?, ?)");
  SQLite::Statement link(database, "INSERT INTO run_sources(run, source) SELECT ?, id FROM sources WHERE path = ? AND hash = ?");
  for (const SourceFile& source : sources) {
    add.bind(1, source.path);
    add.bind(2, source.hash);
    add.bind(3, source.text);
    add.exec();
    add.reset();
    link.bind(1, run);
    link.bind(2, source.path);
    link.bind(3, source.hash);
    link.exec();
    link.reset();
  }
}

void addSeries(SQLite::Database& database, s64 run, const std::string& csv) {
  SQLite::Statement add(database, "INSERT INTO series(run, csv) VALUES (?, ?)");
  add.bind(1, run);
  add.bind(2, csv);
  add.exec();
}

}  // namespace warpwright::lab
