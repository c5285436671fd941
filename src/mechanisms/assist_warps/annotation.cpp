#include "mechanisms/assist_warps/annotation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/nearest.hpp"
#include "mechanisms/kernel_names.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

using Names = std::span<const std::string_view>;

// In the order of the enumerations.
constexpr std::array<std::string_view, 14> kTriggers{"load",   "store", "atomic", "miss",    "fill",  "idle",    "divergence",
                                                     "launch", "timer", "line",   "request", "fault", "miss:l2", "label"};
constexpr std::array<std::string_view, 3> kPriorities{"high", "normal", "low"};
constexpr std::array<std::string_view, 9> kLiveIns{"address", "value", "bytes", "buffer", "table", "reg", "kept", "line", "pc"};
constexpr std::array<std::string_view, 6> kLiveOuts{"value", "count", "reg", "kept", "resume", "map"};
constexpr std::array<std::string_view, 2> kReports{"buffer", "table"};
constexpr std::array<std::string_view, 2> kSwitch{"no", "yes"};
constexpr std::array<std::string_view, 11> kKeys{"on",     "priority", "in",    "out",   "lanes", "speculative",
                                                 "kernel", "buffer",   "table", "group", "report"};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = text.find(separator);
    if (const std::string_view part = text.substr(0, end); !part.empty()) parts.push_back(part);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return parts;
}

constexpr u64 kMostBufferBytes = 4096, kMostTableBytes = 65536;

bool isAccess(Trigger trigger) { return trigger <= Trigger::atomic; }

class Parser {
 public:
  Parser(const std::string& pragma, const SourcePosition& where) : pragma_(pragma), where_(where) {}

  std::optional<Annotation> run() {
    const std::vector<std::string_view> words = split(pragma_, ' ');
    if (words.empty() || words.front() != "assist") return std::nullopt;
    std::set<std::string_view> given;
    for (const std::string_view word : std::span(words).subspan(1)) {
      const auto equals = word.find('=');
      const std::string_view key = word.substr(0, equals);
      if (equals == std::string_view::npos)
        refuse(fmt::format("'{}' has no value", word), "write KEY=VALUE, as in \"assist on=store priority=low in=address,value\"");
      if (!given.insert(key).second) refuse(fmt::format("'{}' is given twice", key), "separate several values by commas");
      set(key, word.substr(equals + 1));
    }
    check();
    return result_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw Error(fmt::format("the annotation \"{}\": {}", pragma_, what), where_, remedy);
  }

  std::size_t find(std::string_view what, std::string_view name, Names names) const {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const std::string near = nearestName(std::string(name), std::vector<std::string>(names.begin(), names.end()));
    refuse(fmt::format("'{}' is no {}", name, what),
           near.empty() ? fmt::format("it may be: {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", near));
  }

  u64 number(std::string_view text, u64 most) const {
    const bool isHexadecimal = text.starts_with("0x");
    const std::string_view digits = isHexadecimal ? text.substr(2) : text;
    u64 value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, isHexadecimal ? 16 : 10);
    if (code != std::errc{} || end != digits.data() + digits.size() || value == 0 || value > most)
      refuse(fmt::format("'{}' is no number from 1 to {}", text, most), "write it in decimal digits, or hexadecimal ones behind 0x");
    return value;
  }

  TriggerCondition condition(std::string_view text) const {
    if (text == kTriggers[static_cast<std::size_t>(Trigger::missBelow)]) return {.trigger = Trigger::missBelow};
    const auto colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const auto trigger = static_cast<Trigger>(find("trigger", name, kTriggers));
    if (trigger == Trigger::label) {
      if (colon == std::string_view::npos || colon + 1 == text.size())
        refuse("the trigger 'label' needs a name", "write label:NAME, with a label of the kernel's PTX");
      return {trigger, 0, std::string(text.substr(colon + 1))};
    }
    const bool wantsNumber = trigger == Trigger::timer || trigger == Trigger::line;
    if (wantsNumber != (colon != std::string_view::npos))
      refuse(fmt::format("the trigger '{}' {} number", name, wantsNumber ? "needs a" : "has no"),
             "write timer:CYCLES, line:NUMBER, label:NAME, miss:l2, and the others without a number");
    return {trigger, wantsNumber ? static_cast<u32>(number(text.substr(colon + 1), ~u32{0})) : 0, {}};
  }

  // Of a live-in or a live-out, which `what` says it is: "reg:%r5" and "kept:last" name a register, and no other does.
  template <class Live>
  std::pair<Live, std::string> live(const char* what, std::string_view text, Names names) const {
    const auto colon = text.find(':');
    const auto kind = static_cast<Live>(find(what, text.substr(0, colon), names));
    const std::string_view name = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    const bool isNamed = kind == Live::reg || kind == Live::kept;
    if (isNamed == name.empty())
      refuse(fmt::format("the {} '{}' {}", what, text, isNamed ? "names no register" : "has a name"),
             "write reg:%r5, with a register of the program's PTX, kept:last, with a name of your own, and the others without a name");
    return {kind, std::string(name)};
  }

  void addLiveIn(std::string_view text) {
    auto [what, name] = live<LiveIn>("live-in", text, kLiveIns);
    result_.in.push_back(what);
    result_.registers.push_back(std::move(name));
  }

  void addLiveOut(std::string_view text) {
    auto [what, name] = live<LiveOut>("live-out", text, kLiveOuts);
    if (!name.empty() && std::ranges::find(result_.changed, name) != result_.changed.end())
      refuse(fmt::format("two results go to the register '{}'", name), "name a register for each");
    result_.out.push_back(what);
    result_.changed.push_back(std::move(name));
  }

  void set(std::string_view key, std::string_view value) {
    switch (find("key of an annotation", key, kKeys)) {
      case 0:
        for (const std::string_view each : split(value, ',')) result_.on.push_back(condition(each));
        break;
      case 1:
        result_.priority = static_cast<Priority>(find("priority", value, kPriorities));
        break;
      case 2:
        for (const std::string_view each : split(value, ',')) addLiveIn(each);
        break;
      case 3:
        for (const std::string_view each : split(value, ',')) addLiveOut(each);
        break;
      case 4:
        result_.lanes = LaneMask(number(value, ~u64{0}));
        break;
      case 5:
        result_.isSpeculative = find("choice", value, kSwitch) == 1;
        break;
      case 6:
        result_.kernels = namesIn(value);
        break;
      case 7:
        result_.bufferBytes = static_cast<u32>(number(value, kMostBufferBytes));
        break;
      case 8:
        result_.tableBytes = static_cast<u32>(number(value, kMostTableBytes));
        break;
      case 9:
        result_.group = value;
        break;
      default:
        result_.report = static_cast<Report>(1 + find("memory of a routine", value, kReports));
    }
  }

  bool everyTrigger(auto&& holds) const {
    return std::all_of(result_.on.begin(), result_.on.end(), [&](const TriggerCondition& each) { return holds(each.trigger); });
  }
  bool asksFor(LiveIn what) const { return std::find(result_.in.begin(), result_.in.end(), what) != result_.in.end(); }
  bool gives(LiveOut what) const { return std::find(result_.out.begin(), result_.out.end(), what) != result_.out.end(); }

  void check() const {
    if (result_.on.empty()) refuse("nothing triggers it", fmt::format("add on=TRIGGER; triggers are: {}", fmt::join(kTriggers, ", ")));
    const auto hasAddress = [](Trigger trigger) {
      constexpr Trigger kOther[] = {Trigger::miss, Trigger::fill, Trigger::missBelow, Trigger::fault};
      return isAccess(trigger) || std::ranges::find(kOther, trigger) != std::end(kOther);
    };
    const auto hasValue = [](Trigger trigger) { return trigger == Trigger::load || trigger == Trigger::store; };
    if (asksFor(LiveIn::address) && !everyTrigger(hasAddress))
      refuse("not all of its triggers have an address", "the triggers load, store, atomic, miss, miss:l2, fill and fault have one");
    if (asksFor(LiveIn::value) && !everyTrigger(hasValue))
      refuse("not all of its triggers have a value", "the triggers load and store have one");
    if (asksFor(LiveIn::bytes) && !everyTrigger(isAccess))
      refuse("not all of its triggers have a number of bytes", "the triggers load, store and atomic have one");
    if (result_.namesRegisters() && !everyTrigger([](Trigger trigger) { return trigger == Trigger::line || trigger == Trigger::label; }))
      refuse("registers of the program are known at its lines and labels alone",
             "reg:NAME is of routines with on=line:N or on=label:NAME alone: elsewhere a value may be in several registers, or in none");
    if (asksFor(LiveIn::buffer) && result_.bufferBytes == 0) refuse("it has no buffer", "add buffer=BYTES");
    if (asksFor(LiveIn::table) && result_.tableBytes == 0) refuse("it has no table", "add table=BYTES");
    const auto isOfInstruction = [](Trigger trigger) {
      constexpr Trigger kKnown[] = {Trigger::divergence, Trigger::line, Trigger::label, Trigger::launch, Trigger::miss, Trigger::fault};
      return isAccess(trigger) || std::ranges::find(kKnown, trigger) != std::end(kKnown);
    };
    if ((asksFor(LiveIn::line) || asksFor(LiveIn::pc)) && !everyTrigger(isOfInstruction))
      refuse("not all of its triggers are of an instruction",
             "the triggers load, store, atomic, divergence, line, label, launch, miss and fault have a line and a pc");
    if ((asksFor(LiveIn::kept) || gives(LiveOut::kept)) && !everyTrigger([](Trigger trigger) { return trigger != Trigger::request; }))
      refuse("who asks for it by on=request gives it a buffer alone", "keep in the buffer what is to be kept");
    if (result_.report == Report::buffer && result_.bufferBytes == 0) refuse("it has no buffer to report", "add buffer=BYTES");
    if (result_.report == Report::table && result_.tableBytes == 0) refuse("it has no table to report", "add table=BYTES");
    const bool isOfFault =
        std::any_of(result_.on.begin(), result_.on.end(), [](const auto& each) { return each.trigger == Trigger::fault; });
    if (isOfFault && result_.priority != Priority::high)
      refuse("nothing of other priority than high is sure to end before the launch does", "add priority=high");
    if ((gives(LiveOut::resume) || gives(LiveOut::map)) && !everyTrigger([](Trigger trigger) { return trigger == Trigger::fault; }))
      refuse("nothing is to be resumed", "out=resume and out=map are of routines with on=fault alone");
    if (gives(LiveOut::value) && !everyTrigger([](Trigger trigger) { return trigger == Trigger::load; }))
      refuse("its result has no register to go to", "out=value is of routines with on=load alone, out=reg:NAME of those with on=line:N");
    if ((gives(LiveOut::value) || gives(LiveOut::reg)) && result_.priority != Priority::high)
      refuse("the warp may have read the register before its result is there", "add priority=high: the warp waits for the routine");
  }

  const std::string& pragma_;
  const SourcePosition& where_;
  Annotation result_;
};

}  // namespace

std::optional<Annotation> parseAnnotation(const std::string& pragma, const SourcePosition& where) { return Parser(pragma, where).run(); }

}  // namespace warpwright::mechanisms::assist_warps
