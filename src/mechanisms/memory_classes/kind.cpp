#include "mechanisms/memory_classes/kind.hpp"

#include "mechanisms/kind_parts.hpp"
#include "mechanisms/memory_classes/observer.hpp"

namespace warpwright::mechanisms::memory_classes {
namespace {

constexpr const char* kName = "memory-classes";

class MemoryClasses final : public Mechanism {
 public:
  MemoryClasses(const Settings& settings, const config::Machine& machine) : settings_(settings), warpSize_(machine.warpSize) {}
  std::unique_ptr<LaunchObserver> observe(const exec::LaunchRequest& request) override {
    const u32 warps = static_cast<u32>((request.launch->block.count() + warpSize_ - 1) / warpSize_);
    return std::make_unique<Observer>(request.launch->program->program, warps, warpSize_, settings_);
  }

 private:
  const Settings settings_;
  const u32 warpSize_;
};

}  // namespace

const Kind kMemoryClasses{
    .description = {.name = kName,
                    .text = "Changes nothing, and counts which vectors of words warps load from and store to private, shared and global "
                            "memory: zero, uniform, affine, generic.",
                    .paper = "Collange, Kouyoumdjian, \"Affine Vector Cache for memory bandwidth savings\", 2011, section 3",
                    .defaults = Settings{},
                    .settings = config::settingsOf<Settings>(rows())},
    .make = makeFor<MemoryClasses, Settings>,
    .observed = [] { return zeroOf<MemoryClassStats>("memory_classes"); },
};

}  // namespace warpwright::mechanisms::memory_classes
