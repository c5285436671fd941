// How the words of a vector access find their banks: networks of stages that cost less than a full crossbar, and their settings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>
#include <warpwright/parallel_memory/conflicts.hpp>

namespace warpwright::parallel_memory {

// A stage of equal switches; an input carries `width` words together.
struct SwitchStage {
  std::uint32_t switches = 1, inputs = 1, outputs = 1, width = 1;
  std::uint64_t crosspoints() const { return std::uint64_t{switches} * inputs * outputs * width; }
};

struct Network {
  std::string name;
  std::vector<SwitchStage> stages;
  std::uint64_t crosspoints() const;  // of words
};
// Each lane with each word of a row of each bank.
Network crossbar(const BankMap& map, std::size_t lanes);

// Two stages for 2^(p+q) banks, bank (mv, mh) being number mv 2^q + mh, and as many words, arranged row by row in an array of 2^p x 2^q
// (Gou, section 3.4.2 and figure 3.14). Theorem 7: in 2DSMM the words of a column of that array have one mh for all patterns but continuous
// rows, and those of a row one mv for these.
enum class Bundle {
  columns,  // stage one moves whole columns to their mh, stage two moves words to their mv
  rows      // stage one moves whole rows to their mv, stage two moves words to their mh
};
Network twoStageNetwork(std::uint32_t p, std::uint32_t q, Bundle bundle);

struct TwoStageSettings {
  std::vector<std::uint32_t> first;                // for each bundle, where it goes
  std::vector<std::vector<std::uint32_t>> second;  // for each place of a bundle and each word in it, where that goes
};
// For the banks of 2^(p+q) words in order; nothing where a bundle would have to be torn or two words want one bank.
std::optional<TwoStageSettings> twoStageSettings(std::span<const std::uint32_t> banks, std::uint32_t p, std::uint32_t q, Bundle bundle);

// The Chinese Remainder Network (Seznec and others; Gou, section 2.1) for N = N_1 N_2 ... banks, factors that share no divisor, and the
// bank a mod N of address a. Lane and bank are numbered by their remainders. Stage k changes the k-th remainder alone, and all its N / N_k
// switches have one setting: x -> factor x + offset mod N_k.
class ChineseRemainderNetwork {
 public:
  struct Setting {
    std::uint32_t factor = 1, offset = 0;
  };
  // `banks` must not be 0; its factors are the powers of primes in it.
  explicit ChineseRemainderNetwork(std::uint32_t banks);

  Network network() const;
  std::span<const std::uint32_t> factors() const { return factors_; }
  // For a vector from `base` on; nothing where the stride shares a divisor with the number of banks, so that lanes conflict.
  std::optional<std::vector<Setting>> settingsFor(Address base, Address stride) const;
  // Where a word of `lane`, below the number of banks, leaves the network.
  std::uint32_t route(std::uint32_t lane, std::span<const Setting> settings) const;

 private:
  std::uint32_t banks_;
  std::vector<std::uint32_t> factors_;
};

// The network of fewest crosspoints among these that serves a pattern from every base address from which it is without conflict: the
// two-stage one for 2DSMM, the Chinese Remainder Network for strides in memories with a mod N, else the crossbar.
Network networkFor(const BankMap& map, const Pattern& pattern);

}  // namespace warpwright::parallel_memory
