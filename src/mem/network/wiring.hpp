// The shape of a network in one direction: routers, the links between them, and the way to each destination.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "config/network.hpp"

namespace warpwright::mem {

// Ports are numbered over the whole network. No route visits a router twice and the links form no cycle, so packets cannot deadlock.
struct Wiring {
  struct Router {
    u32 firstInput = 0, inputs = 0;
    u32 firstOutput = 0, outputs = 0;
  };
  // Where a router's output leads.
  struct End {
    bool isTerminal = false;  // then `number` is that of the network's output, otherwise of a router's input
    u32 number = 0;
  };

  u32 inputs = 0, outputs = 0;  // of the network
  std::vector<Router> routers;
  std::vector<u32> entries;   // by input of the network: the router's input behind it
  std::vector<u32> routerOf;  // by router's input
  std::vector<End> ends;      // by router's output
  std::vector<u32> routes;    // by router and output of the network: the router's output to take
  u32 route(u32 router, u32 destination) const { return routes[router * outputs + destination]; }
};

// One router.
Wiring crossbarWiring(u32 inputs, u32 outputs);

// A k-ary n-fly (Dally and Towles, "Principles and Practices of Interconnection Networks", chapter 4): `stages` columns of radix x radix
// routers over radix^stages lines; the router of stage s, counted from 0, sets the s-th highest digit of the line number to the
// destination's. Input and output i of the network lie on line i; lines beyond them stay unused. Throws Error when there are too few lines,
// or more than 4096.
Wiring butterflyWiring(u32 radix, u32 stages, u32 inputs, u32 outputs);

// Throws Error, which names the keys, when the configuration cannot be built.
Wiring wiringFor(const config::Network& config, u32 inputs, u32 outputs);

}  // namespace warpwright::mem
