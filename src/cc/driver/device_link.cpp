#include "cc/driver/device_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "isa/modifier_text.hpp"
#include "ptx/link.hpp"
#include "ptx/parser.hpp"

namespace warpwright::cc {
namespace {

namespace fs = std::filesystem;

// What -lNAME means in one folder: nothing, a shared library, whose device code is linked already, or a static one.
enum class Found { nothing, sharedLibrary, archive };

Found lookFor(const fs::path& folder, const std::string& name) {
  if (fs::exists(folder / ("lib" + name + ".so"))) return Found::sharedLibrary;
  return fs::exists(folder / ("lib" + name + ".a")) ? Found::archive : Found::nothing;
}

void addStaticLibrary(const std::vector<std::string>& folders, const std::string& name, std::vector<std::string>& files) {
  for (const std::string& folder : folders) {
    const Found found = lookFor(folder, name);
    if (found == Found::nothing) continue;
    if (found == Found::archive) files.push_back((fs::path(folder) / ("lib" + name + ".a")).string());
    return;
  }
}

// The machine implements these; no unit defines them.
bool isSystemCall(const std::string& name) {
  using isa::SystemCall;
  constexpr std::array kCalls = {SystemCall::vprintf, SystemCall::malloc, SystemCall::free, SystemCall::assertfail};
  return std::any_of(kCalls.begin(), kCalls.end(), [&](SystemCall call) { return isa::name(call) == name; });
}

// Memory that the launch sizes is declared extern too, and defined nowhere.
bool isOpen(const ptx::Variable& variable) { return variable.linkage == ptx::Linkage::extern_ && variable.space != ptx::Space::shared; }
bool isOpen(const ptx::Function& function) { return function.isDeclaration && !isSystemCall(function.name); }

// The first unit that declares each name and leaves its definition to another.
std::map<std::string, std::string> usersOf(const std::vector<ptx::Unit>& units) {
  std::map<std::string, std::string> users;
  const auto note = [&](const auto& symbol, const ptx::Module& module) {
    if (isOpen(symbol)) users.emplace(symbol.name, module.sourceName);
  };
  for (const ptx::Unit& unit : units) {
    for (const ptx::Function& function : unit.module.functions) note(function, unit.module);
    for (const ptx::Variable& variable : unit.module.variables) note(variable, unit.module);
  }
  return users;
}

std::vector<std::string> undefinedNames(const ptx::Module& linked) {
  std::vector<std::string> names;
  for (const ptx::Function& function : linked.functions)
    if (isOpen(function)) names.push_back(function.name);
  for (const ptx::Variable& variable : linked.variables)
    if (isOpen(variable)) names.push_back(variable.name);
  return names;
}

}  // namespace

std::vector<std::string> deviceLinkInputs(const Options& options, const std::vector<std::string>& objects) {
  std::vector<std::string> files = objects;
  std::vector<std::string> folders;
  for (const std::string& flag : options.linkerFlags)
    if (flag.starts_with("-L")) folders.push_back(flag.substr(2));
  for (const std::string& flag : options.linkerFlags)
    if (flag.starts_with("-l")) addStaticLibrary(folders, flag.substr(2), files);
  return files;
}

std::vector<RelocatableUnit> unitsToLink(const std::vector<std::string>& files, u32 smVersion) {
  RelocatableCode code;
  for (const std::string& file : files) addRelocatableCode(readFile(file), file, smVersion, code);
  std::erase_if(code.units, [&](const RelocatableUnit& unit) {
    return std::find(code.linkedIds.begin(), code.linkedIds.end(), unit.id) != code.linkedIds.end();
  });
  return code.units;
}

void checkDeviceLink(const std::vector<RelocatableUnit>& units) {
  if (units.empty()) return;
  std::vector<ptx::Unit> parsed;
  for (const RelocatableUnit& unit : units) parsed.push_back({ptx::parse(unit.ptx, unit.origin)});
  const auto users = usersOf(parsed);
  const auto undefined = undefinedNames(ptx::link(std::move(parsed), units.front().origin));
  if (undefined.empty()) return;
  std::string list;
  for (const std::string& name : undefined) list += fmt::format("\n  '{}', used in {}", name, users.at(name));
  throw Error("device code uses symbols that no object defines:" + list, {},
              "add the object or static library that defines them, compiled with -rdc=true or -dc");
}

std::string deviceLinkSource(const std::vector<RelocatableUnit>& units) {
  // The layout of the wrapper and of the call are those of nvcc's registration (fatbin/format.hpp).
  std::string text =
      "struct wrapper { int magic, version; const void* data; const void* units; };\n"
      "extern void** __cudaRegisterFatBinary(const void*);\n"
      "extern void __cudaRegisterFatBinaryEnd(void**);\n"
      "#define HIDDEN __attribute__((visibility(\"hidden\")))\n";
  std::string ids, fill, functions;
  for (size_t i = 0; i < units.size(); ++i) {
    const std::string& id = units[i].id;
    text += fmt::format("extern const struct wrapper __fatbinwrap{} HIDDEN;\n", id);
    fill += fmt::format("    units[{}] = __fatbinwrap{}.data;\n", i, id);
    ids += id + "\\0";
    functions += fmt::format(
        "HIDDEN void __cudaRegisterLinkedBinary{}(void (*add)(void**), void* a, void* b, void (*c)(void*)) {{ registerUnit(add); }}\n", id);
  }
  text += fmt::format("static const void* units[{}];\n", units.size() + 1);
  text += fmt::format("static const struct wrapper linked __attribute__((section(\".nvFatBinSegment\"))) = {{{:#x}, {}, 0, units}};\n",
                      0x466243b1, 2);
  text += fmt::format("static const char ids[] __attribute__((section(\"{}\"), used)) = \"{}\";\n", kLinkedIdsSection, ids);
  text +=
      "static void registerUnit(void (*add)(void**)) {\n"
      "  static void** handle;\n"
      "  if (!handle) {\n" +
      fill +
      "    handle = __cudaRegisterFatBinary(&linked);\n"
      "    __cudaRegisterFatBinaryEnd(handle);\n"
      "  }\n"
      "  add(handle);\n"
      "}\n";
  return text + functions;
}

}  // namespace warpwright::cc
