#include "mechanisms/memory_classes/kind.hpp"

#include "mechanisms/memory_classes/observer.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::mechanisms::memory_classes {
namespace {

constexpr const char* kName = "memory-classes";

struct Settings {
  bool operator==(const Settings&) const = default;
};

class MemoryClasses final : public Mechanism {
 public:
  explicit MemoryClasses(u32 warpSize) : warpSize_(warpSize) {}
  std::unique_ptr<LaunchObserver> observe(const exec::LaunchRequest&) override { return std::make_unique<Observer>(warpSize_); }

 private:
  u32 warpSize_;
};

}  // namespace

const Kind kMemoryClasses{
    .description = {.name = kName,
                    .text = "Changes nothing, and counts which vectors of words warps load from and store to private, shared and global "
                            "memory: zero, uniform, affine, generic.",
                    .paper = "Collange, Kouyoumdjian, \"Affine Vector Cache for memory bandwidth savings\", 2011, section 3",
                    .defaults = Settings{}},
    .make = [](const std::any&, const config::Machine& machine) -> std::unique_ptr<Mechanism> {
      return std::make_unique<MemoryClasses>(machine.warpSize);
    },
    .observed =
        [] {
          stats::NamedStatistics result;
          result.add("memory_classes", stats::Structure(MemoryClassStats{}));
          return result;
        },
};

}  // namespace warpwright::mechanisms::memory_classes
