// Which of the embedded pieces of code is to run.
#pragma once

#include <span>
#include <vector>

#include "fatbin/container.hpp"

namespace warpwright::fatbin {

struct Selection {
  const Entry* entry = nullptr;
  // No entry is meant for the architecture asked for: it has the lowest of those that there are.
  bool above = false;
};

// The container's PTX with the highest architecture that may run on sm_VERSION; the lowest where none may. Code for one architecture
// alone (sm_90a) may run on that one only, code for a family (sm_100f) on later members of it. Of equal architectures, generic code comes
// first, then the order in the container. Throws NoPtx where there is none; it names the architectures found and the nvcc option that
// adds PTX.
Selection selectPtx(const Container& container, u32 smVersion);

// One selection for each container that holds PTX. Throws NoPtx, as above, when none does.
std::vector<Selection> selectPtx(std::span<const Container> containers, u32 smVersion);

}  // namespace warpwright::fatbin
