#include "mem/network/wiring.hpp"

namespace warpwright::mem {

Wiring crossbarWiring(u32 inputs, u32 outputs) {
  Wiring wiring;
  wiring.inputs = inputs;
  wiring.outputs = outputs;
  wiring.routers = {{0, inputs, 0, outputs}};
  wiring.routerOf.assign(inputs, 0);
  for (u32 input = 0; input < inputs; ++input) wiring.entries.push_back(input);
  for (u32 output = 0; output < outputs; ++output) {
    wiring.ends.push_back({true, output});
    wiring.routes.push_back(output);
  }
  return wiring;
}

}  // namespace warpwright::mem
