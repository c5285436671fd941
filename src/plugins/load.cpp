#include "plugins/load.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "plugins/abi.hpp"
#include "plugins/interface.hpp"

namespace warpwright::plugins {
namespace {

namespace fs = std::filesystem;

// A program's report, which may ask who brought a mechanism, is printed while the library is unloaded: never destroyed.
std::deque<Loaded>& all() {
  static auto& plugins = *new std::deque<Loaded>;
  return plugins;
}

std::string canonical(const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::canonical(file, failed);
  if (failed)
    throw Error(fmt::format("there is no plug-in '{}': {}", file, failed.message()), {}, "check its name and folder; it is built first");
  if (path.string().find(kSeparator) != std::string::npos)
    throw Error(fmt::format("the path of the plug-in has a '{}'", kSeparator), {file, 0, 0},
                fmt::format("{} cannot name it: move it", kVariable));
  return path.string();
}

const Plugin& open(const std::string& file) {
  constexpr const char* kRemedy = "docs/plugins.md tells how one is built";
  // What it shows and what it needs is its own affair; it is never closed, as what it has brought stays.
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw Error(fmt::format("the plug-in cannot be loaded: {}", dlerror()), {file, 0, 0}, kRemedy);
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, kEntryName));
  if (entry == nullptr) throw Error(fmt::format("this is no plug-in: it has no symbol '{}'", kEntryName), {file, 0, 0}, kRemedy);
  const Plugin* plugin = entry();
  if (plugin == nullptr || plugin->magic != kMagic)
    throw Error(fmt::format("this is no plug-in: what '{}' gives does not begin as one", kEntryName), {file, 0, 0}, kRemedy);
  if (std::strcmp(plugin->abi, WARPWRIGHT_PLUGIN_ABI) != 0)
    throw Error(fmt::format("the plug-in was built against\n    {}\n  and this is\n    {}", plugin->abi, WARPWRIGHT_PLUGIN_ABI),
                {file, 0, 0}, "build it anew against the installed package of this simulator, with the compiler that made that");
  return *plugin;
}

void addNames(std::set<std::string>& names, stats::NamedStatistics (*statistics)()) {
  if (statistics == nullptr) return;
  statistics().forEach([&](const std::string& name, const stats::AnyStatistics&) { names.insert(name); });
}

// What a mechanism counts goes by names that are unlike those of all others.
std::set<std::string> statisticsOf(const mechanisms::Kind& kind) {
  std::set<std::string> names;
  addNames(names, kind.observed);
  addNames(names, kind.counted);
  return names;
}

// A part of the keys of machine files. Mechanisms join words by hyphens, policies by underscores.
bool isName(std::string_view name, char joint) {
  const auto isAllowed = [joint](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == joint; };
  return !name.empty() && std::all_of(name.begin(), name.end(), isAllowed);
}

// Collects what a plug-in brings, which is added when all of it is right.
class Collector final : public Registrar {
 public:
  void add(const mechanisms::Kind& kind) override {
    const std::string_view name = kind.description.name;
    if (!isName(name, '-')) throw Error(fmt::format("no mechanism can be called '{}'", name), {}, "use small letters, digits and hyphens");
    if (kind.make == nullptr) throw Error(fmt::format("the mechanism '{}' has no `make`", name), {}, "see mechanisms/mechanism.hpp");
    requireUnlike(kind, mechanisms::catalogue());
    requireUnlike(kind, kinds_);
    kinds_.push_back(&kind);
  }

  void add(const mem::ReplacementEntry& entry) override { addPolicy(config::replacementPolicies, mem::replacementList(), entry); }
  void add(const mem::SetHashEntry& entry) override { addPolicy(config::setHashes, mem::setHashList(), entry); }
  void add(const mem::ArbitrationEntry& entry) override { addPolicy(config::arbitrations, mem::arbitrationList(), entry); }
  void add(const mem::ChannelHashEntry& entry) override { addPolicy(config::channelHashes, mem::channelHashList(), entry); }
  void add(const mem::dram::SchedulerEntry& entry) override { addPolicy(config::dramSchedulers, mem::dram::schedulerList(), entry); }
  void add(const sm::SchedulerEntry& entry) override { addPolicy(config::warpSchedulers, sm::schedulerList(), entry); }

  // Into the catalogue and the families; what was added is named in `entry`.
  void install(Loaded& entry) const {
    for (const mechanisms::Kind* kind : kinds_) {
      mechanisms::addKind(*kind);
      entry.mechanisms.emplace_back(kind->description.name);
    }
    for (const Policy& policy : policies_) {
      policy.install();
      entry.policies.push_back(policy.name);
    }
  }

 private:
  struct Policy {
    std::string name;  // with its family
    std::function<void()> install;
  };

  template <class List, class Entry>
  void addPolicy(const config::PolicyFamily& family, List& list, const Entry& entry) {
    const std::string_view name = entry.kind.name;
    if (!isName(name, '_'))
      throw Error(fmt::format("no {} can be called '{}'", family.title(), name), {}, "use small letters, digits and underscores");
    std::string shown = fmt::format("{} '{}'", family.title(), name);
    const auto isThis = [&](const Policy& each) { return each.name == shown; };
    if (family.find(name) != nullptr || std::any_of(policies_.begin(), policies_.end(), isThis))
      throw Error(fmt::format("there is a {} already", shown), {}, "give the plug-in's another name");
    policies_.push_back({std::move(shown), [&list, &entry] { list.add(entry); }});
  }

  static void requireUnlike(const mechanisms::Kind& kind, std::span<const mechanisms::Kind* const> others) {
    for (const mechanisms::Kind* other : others) {
      if (other->description.name == kind.description.name)
        throw Error(fmt::format("there is a mechanism '{}' already", kind.description.name), {}, "give the plug-in's another name");
      const std::set<std::string> taken = statisticsOf(*other);
      for (const std::string& name : statisticsOf(kind)) {
        if (taken.contains(name))
          throw Error(fmt::format("the mechanism '{}' counts under the name '{}', as '{}' does", kind.description.name, name,
                                  other->description.name),
                      {}, "give its statistics another name");
      }
    }
  }

  std::vector<const mechanisms::Kind*> kinds_;
  std::vector<Policy> policies_;
};

// What it throws is a mistake of the plug-in, whatever its type.
void collect(const Plugin& plugin, const std::string& file, Collector& into) {
  try {
    plugin.registerKinds(into);
  } catch (const Error& error) {
    throw Error(error.message(), {file, 0, 0}, error.remedy());
  } catch (const std::exception& error) {
    throw Error(fmt::format("the plug-in does not begin: {}", error.what()), {file, 0, 0});
  }
}

}  // namespace

const std::deque<Loaded>& loaded() { return all(); }

void load(const std::string& file) {
  const std::string path = canonical(file);
  const auto isThis = [&](const Loaded& each) { return each.file == path; };
  if (std::any_of(all().begin(), all().end(), isThis)) return;
  if (config::sectionsAreMade())
    throw Error("the plug-in comes too late: machines have been read without it", {path, 0, 0},
                fmt::format("name it with --plugin or in {}", kVariable));
  const Plugin& plugin = open(path);
  Collector collector;
  collect(plugin, path, collector);
  Loaded entry{path, plugin.name, plugin.version, {}, {}};
  collector.install(entry);
  all().push_back(std::move(entry));
}

void loadFromEnvironment() {
  const char* files = std::getenv(kVariable);
  if (files == nullptr) return;
  for (const std::string& file : split(files)) load(file);
}

const Loaded* bringerOf(const std::string& mechanism) {
  for (const Loaded& plugin : all()) {
    if (std::find(plugin.mechanisms.begin(), plugin.mechanisms.end(), mechanism) != plugin.mechanisms.end()) return &plugin;
  }
  return nullptr;
}

std::string joined(const std::vector<std::string>& files) { return fmt::format("{}", fmt::join(files, std::string(1, kSeparator))); }

std::vector<std::string> split(const std::string& joined) {
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin <= joined.size();) {
    const std::size_t end = std::min(joined.find(kSeparator, begin), joined.size());
    if (end != begin) files.push_back(joined.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

}  // namespace warpwright::plugins
