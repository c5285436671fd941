#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "mem/network/wiring.hpp"

namespace warpwright::mem {

namespace {

constexpr u64 kMostLines = 4096;

// Or something above kMostLines, if that is larger.
u64 power(u64 base, u32 exponent) {
  u64 result = 1;
  for (u32 i = 0; i < exponent && result <= kMostLines; ++i) result *= base;
  return result;
}

// One stage: its routers set the digit of the line number that has this weight.
class Stage {
 public:
  Stage(u32 radix, u32 weight, u32 firstRouter) : radix_(radix), weight_(weight), firstRouter_(firstRouter) {}

  u32 digit(u32 line) const { return line / weight_ % radix_; }
  u32 router(u32 line) const { return firstRouter_ + line / (weight_ * radix_) * weight_ + line % weight_; }
  // Number of the port with which a line enters, and with which it leaves.
  u32 port(u32 line) const { return router(line) * radix_ + digit(line); }

 private:
  u32 radix_, weight_, firstRouter_;
};

}  // namespace

Wiring butterflyWiring(u32 radix, u32 stages, u32 inputs, u32 outputs) {
  const u64 all = power(radix, stages);
  if (all < std::max(inputs, outputs)) {
    throw Error(fmt::format("a butterfly of network.radix = {} and network.stages = {} has {} lines, too few for {} inputs and {} outputs",
                            radix, stages, all, inputs, outputs),
                {}, "set network.stages or network.radix higher");
  }
  if (all > kMostLines) {
    throw Error(fmt::format("a butterfly of network.radix = {} and network.stages = {} has more than {} lines", radix, stages, kMostLines),
                {}, "set network.stages or network.radix lower");
  }
  const u32 lines = static_cast<u32>(all), routersOfStage = lines / radix;

  Wiring wiring;
  wiring.inputs = inputs;
  wiring.outputs = outputs;
  for (u32 router = 0; router < stages * routersOfStage; ++router) wiring.routers.push_back({router * radix, radix, router * radix, radix});
  for (u32 port = 0; port < stages * lines; ++port) wiring.routerOf.push_back(port / radix);
  wiring.ends.resize(stages * lines);
  wiring.routes.resize(wiring.routers.size() * outputs);

  u32 weight = lines / radix;
  for (u32 number = 0; number < stages; ++number, weight /= radix) {
    const Stage stage(radix, weight, number * routersOfStage);
    const Stage next(radix, std::max(weight / radix, 1u), (number + 1) * routersOfStage);
    for (u32 line = 0; line < lines; ++line) {
      if (number == 0 && line < inputs) wiring.entries.push_back(stage.port(line));
      const bool isLast = number + 1 == stages;
      wiring.ends[stage.port(line)] = {isLast, isLast ? line : next.port(line)};
    }
    for (u32 i = 0; i < routersOfStage; ++i) {
      const u32 router = number * routersOfStage + i;
      for (u32 destination = 0; destination < outputs; ++destination) {
        wiring.routes[router * outputs + destination] = router * radix + stage.digit(destination);
      }
    }
  }
  return wiring;
}

}  // namespace warpwright::mem
