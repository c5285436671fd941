// Wirings, and configurations that cannot be built.
#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "unit/mem/network/traffic.hpp"

namespace warpwright::mem::testing {
namespace {

TEST(Wiring, butterflyHasItsRoutersAndLinks) {
  const Wiring wiring = butterflyWiring(2, 5, 16, 4);
  EXPECT_EQ(wiring.routers.size(), 5u * 16u);
  EXPECT_EQ(wiring.ends.size(), 5u * 32u);
  std::set<std::pair<bool, u32>> ends;
  for (const auto& end : wiring.ends) ends.emplace(end.isTerminal, end.number);
  EXPECT_EQ(ends.size(), wiring.ends.size());  // no two links lead to the same place
}

// Links lead from a router to one of a later stage: no cycle.
TEST(Wiring, butterflyLinksLeadForwards) {
  const Wiring wiring = butterflyWiring(3, 3, 27, 27);
  for (u32 router = 0; router < wiring.routers.size(); ++router) {
    const auto& r = wiring.routers[router];
    for (u32 output = r.firstOutput; output < r.firstOutput + r.outputs; ++output) {
      if (!wiring.ends[output].isTerminal) {
        EXPECT_EQ(wiring.routerOf[wiring.ends[output].number] / 9, router / 9 + 1);
      } else {
        EXPECT_EQ(router / 9, 2u);
      }
    }
  }
}

std::string refusal(const config::Network& config, u32 inputs = 15, u32 outputs = 6) {
  try {
    Network network(config, inputs, outputs, NetworkDirection::toMemory);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(Wiring, refusalsNameTheKeys) {
  const auto refused = [](auto change, const std::string& key) {
    config::Network config = butterfly(2, 5);
    change(config);
    EXPECT_NE(refusal(config).find("network." + key), std::string::npos) << key << ": " << refusal(config);
  };
  using N = config::Network;
  EXPECT_EQ(refusal(butterfly(2, 5)), "");
  refused([](N& n) { n.flitBytes = 0; }, "flit_bytes");
  refused([](N& n) { n.virtualChannels = 0; }, "virtual_channels");
  refused([](N& n) { n.virtualChannels = 9; }, "virtual_channels");
  refused([](N& n) { n.buffersPerChannel = 0; }, "buffers_per_channel");
  refused([](N& n) { n.channelLatency = 0; }, "channel_latency");
  refused([](N& n) { n.injectionQueue = 0; }, "injection_queue");
  refused([](N& n) { n.ejectionQueue = 0; }, "ejection_queue");
  refused([](N& n) { n.radix = 1; }, "radix");
  refused([](N& n) { n.stages = 0; }, "stages");
  refused([](N& n) { n.stages = 3; }, "stages");
  refused([](N& n) { n.stages = 40; }, "stages");
  config::Network crossbar;
  crossbar.virtualChannels = 4;
  EXPECT_NE(refusal(crossbar, 100, 6).find("network.virtual_channels"), std::string::npos);
}

TEST(IndexSet, findsRoundTheEnd) {
  IndexSet set;
  const auto any = [](u32) { return true; };
  EXPECT_EQ(set.findFrom(0, any), IndexSet::kNone);
  for (const u32 member : {3u, 70u, 200u}) set.insert(member);
  EXPECT_EQ(set.findFrom(0, any), 3u);
  EXPECT_EQ(set.findFrom(3, any), 3u);
  EXPECT_EQ(set.findFrom(4, any), 70u);
  EXPECT_EQ(set.findFrom(71, any), 200u);
  EXPECT_EQ(set.findFrom(201, any), 3u);
  EXPECT_EQ(set.findFrom(201, [](u32 member) { return member == 70; }), 70u);
  EXPECT_EQ(set.findFrom(5, [](u32 member) { return member == 3; }), 3u);
  set.erase(3);
  EXPECT_EQ(set.findFrom(201, any), 70u);
}

}  // namespace
}  // namespace warpwright::mem::testing
