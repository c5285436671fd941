// docs/machines.md.
#include <fmt/format.h>

#include "config/fields.hpp"
#include "config/rules.hpp"

namespace warpwright::config {
namespace {

constexpr const char* kIntroduction =
    R"(# Machine files

A machine is a TOML file. `warpwright run --machine NAME` takes a file of the presets' folder (`configs/`) by its stem, or any path
that contains a slash or ends in `.toml`. The environment variable `WARPWRIGHT_CONFIGS` names another folder of presets.
`warpwright machines` lists the presets, `warpwright machines NAME` writes one out in full, `warpwright import-config` makes a machine file
from a configuration of GPGPU-Sim ([import-config.md](import-config.md)).

- **Defaults**: a key that is absent keeps its default. An unknown key, a value out of range and values that contradict each other are errors
  that name the keys, and the nearest key for a misspelt one.
- **Inheritance**: `base = "gtx480"`, above all sections, takes every value of another machine (a preset, or a path relative to the file that
  says so); the file's own keys replace them.
- **Single values**: `warpwright run --machine gtx480 --set l1d.ways=8 --set l1d.bytes=32768 ./app` changes keys for one run; the rules below
  hold for the result.
- **Functional and timed machines**: `[chip]` and `[sm]` are all that the functional machine needs. A file that has any other section
  describes a timed machine and must have `[sm.pipeline]`, `[network]` and `[dram]`; the others may be left to their defaults. A
  functional machine cannot be timed: asking for it names the missing sections.
- **Times** are in cycles of the core clock where the unit says `cycles` or `core cycles`, and in ticks of the section's own clock where it says
  `ticks`.

The Cell SPE of Gou's thesis is no GPU and has no machine file.

This page is generated from the lists in `src/config/fields/` by `machine-reference`. `GTX480` in it means GPGPU-Sim's tested configuration of that
GPU.
)";

std::string heading(const Section& section) { return section.name.empty() ? "## Top level" : fmt::format("## [{}]", section.name); }

std::string table(const Section& section) {
  const Machine defaults;
  std::string result = "| key | unit | range | default | meaning |\n|---|---|---|---|---|\n";
  for (const Field& field : section.fields) {
    result +=
        fmt::format("| `{}` | {} | {} | `{}` | {} |\n", field.name, field.unit, field.rangeText(), field.valueText(defaults), field.text);
  }
  return result;
}

// Sections with the same list of fields stand under one heading.
std::string sharedTable(std::span<const Section> group) {
  std::vector<std::string> names;
  for (const Section& section : group) names.push_back("[" + section.name + "]");
  std::string result = fmt::format("\n## {}\n\n", fmt::join(names, " "));
  for (const Section& section : group) result += fmt::format("- `[{}]`: {}\n", section.name, section.text);
  return result + "\nThe keys of each:\n\n" + table(group.front());
}

// The members of a family, and which keys name them.
std::string policiesOf(const PolicyFamily& family) {
  std::vector<std::string> keys;
  std::string settings;
  for (const Field* field : fields()) {
    if (field->range.policies == &family && !field->section.starts_with("mechanism.")) keys.push_back(field->key());
  }
  std::string result =
      fmt::format("\n### {}\n\nKeys: `{}`.\n\n| name | what it does | source |\n|---|---|---|\n", family.title(), fmt::join(keys, "`, `"));
  for (const PolicyKind* kind : family.all()) {
    result += fmt::format("| `{}` | {} | {} |\n", kind->name, kind->text, kind->source);
    if (!kind->hasSettings()) continue;
    const std::string& key = keys.front();
    const Section& section = *findSection(fmt::format("{}.{}", key.substr(0, key.rfind('.')), kind->name));
    settings += fmt::format("\nSettings of `{}`, as in `[{}]`:\n\n{}", kind->name, section.name, table(section));
  }
  return result + settings;
}

std::string policies() {
  std::string result = R"(
## Policies

Where there are several ways to decide something, the machine names one. A policy with settings has a table of its own in the section that names it,
which exists only there:

    [l1d]
    replacement = "ship"
    [l1d.ship]
    counter_bits = 2

and on the command line `--set l1d.replacement=ship --set l1d.ship.counter_bits=2`. How to add one: [adding-a-policy.md](adding-a-policy.md).
)";
  for (const PolicyFamily* family : policyFamilies()) result += policiesOf(*family);
  return result;
}

}  // namespace

std::string machineReference() {
  std::string result = kIntroduction;
  const auto all = sections();
  for (std::size_t i = 0; i < all.size();) {
    if (all[i].mechanism != nullptr || all[i].policy != nullptr) {  // docs/mechanisms.md has those of mechanisms
      ++i;
      continue;
    }
    if (all[i].list.empty()) {
      result += fmt::format("\n{}\n\n{}\n\n{}", heading(all[i]), all[i].text, table(all[i]));
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < all.size() && all[end].list == all[i].list) ++end;
    result += sharedTable(all.subspan(i, end - i));
    i = end;
  }
  result += policies();
  result += "\n## Rules between fields\n\n";
  for (const Rule& rule : rules()) result += fmt::format("- `{}`: {}.\n", fmt::join(rule.keys, "`, `"), rule.text);
  return result;
}

}  // namespace warpwright::config
