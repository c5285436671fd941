// [mechanism.line-compression] of a machine. A line is the machine's own, of the cache above DRAM.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compression/codec.hpp"
#include "config/machine.hpp"
#include "config/mechanism.hpp"

namespace warpwright::mechanisms::line_compression {

enum class Reach : u8 { memory, network };
enum class Choice : u8 { bdi, fpc, cPack, best };
enum class By : u8 { hardware, routines };
enum class StoreBuffer : u8 { shared, l1, own };
enum class BdiOrder : u8 { smallest, last };
enum class FirstLevel : u8 { whole, compressed, direct };
enum class SecondLevel : u8 { compressed, whole };

struct Settings {
  Reach reach = Reach::memory;
  Choice codec = Choice::bdi;
  By by = By::hardware;
  BdiOrder bdiOrder = BdiOrder::smallest;
  u32 fpcSegmentWords = 8;
  bool cPackZeroInDictionary = false;
  bool copiesToo = true;
  std::string kernels;  // whose stores are compressed by SMs; empty: of all
  FirstLevel firstLevel = FirstLevel::whole;
  u32 firstLevelTags = 1;
  SecondLevel secondLevel = SecondLevel::compressed;
  u32 secondLevelTags = 1;
  u32 compressLatency = 5, decompressLatency = 1;
  u32 metadataBytes = 8192, metadataWays = 4;
  u32 entries = 32, smEntries = 16, mostWait = 10000;
  StoreBuffer storeBuffer = StoreBuffer::shared;
  u32 partialEntries = 64;

  bool operator==(const Settings&) const = default;
};

// What an SM's side is to know of a launch: whether its stores are compressed.
struct StoreChoice {
  bool isCompressed = true;
};

// Of the cache from which lines leave for DRAM, and to which they come: the last level's, else the L2's.
u32 lineBytesOf(const config::Machine& machine);
// What of a first-level cache is left where some of its sets hold the stores that wait for their routine (section 5.2.2).
config::Cache withoutStoreBuffer(const Settings& settings, const config::Cache& levelOne);
// Those that are tried for a line.
std::vector<compression::Codec> codecsOf(Choice choice);
// With no encoding that is to be tried first: who compresses line after line knows it.
compression::Variants variantsOf(const Settings& settings);

std::vector<config::MechanismSetting> settingRows();
// Whether routines make lines whole, and compress what SMs store: each takes registers of every kernel (section 4.2.2).
bool routinesDecompress(const Settings& settings);
bool routinesCompress(const Settings& settings);
// What makes the settings impossible in the machine.
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::line_compression
