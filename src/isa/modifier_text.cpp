#include "isa/modifier_text.hpp"

#include <fmt/format.h>

#include <array>

namespace warpwright::isa {
namespace {

using Names = std::string_view;

// In the order of the enumerations; an empty name is the default that is not printed.
constexpr std::array<Names, 4> kRoundings{"", "RZ", "RM", "RP"};
constexpr std::array<Names, 3> kAccuracies{"", "FULL", "APPROX"};
constexpr std::array<Names, 14> kCompares{"EQ", "NE", "LT", "LE", "GT", "GE", "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "NUM", "NAN"};
constexpr std::array<Names, 4> kBoolOps{"", "AND", "OR", "XOR"};
constexpr std::array<Names, 11> kAtomics{"", "AND", "OR", "XOR", "CAS", "EXCH", "ADD", "INC", "DEC", "MIN", "MAX"};
constexpr std::array<Names, 7> kOrderings{"", "VOLATILE", "RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SC"};
constexpr std::array<Names, 4> kScopes{"", "CTA", "GPU", "SYS"};
constexpr std::array<Names, 9> kCaches{"", "CA", "CG", "CS", "LU", "CV", "WB", "WT", "NC"};
constexpr std::array<Names, 4> kShuffles{"UP", "DOWN", "BFLY", "IDX"};
constexpr std::array<Names, 4> kVotes{"ALL", "ANY", "UNI", "BALLOT"};
constexpr std::array<Names, 7> kPermutes{"", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16"};
constexpr std::array<Names, 6> kTests{"FINITE", "INFINITE", "NUMBER", "NOTANUMBER", "NORMAL", "SUBNORMAL"};
constexpr std::array<Names, 6> kSmallFormats{"E4M3", "E5M2", "E2M3", "E3M2", "E2M1", "E8M0"};
constexpr std::array<Names, 10> kVideoOps{"ADD", "SUB", "ABSDIFF", "MIN", "MAX", "SHL", "SHR", "SET", "MAD", "AVRG"};
constexpr std::array<Names, 4> kVideoSeconds{"", "ACC.ADD", "ACC.MIN", "ACC.MAX"};
constexpr std::array<Names, 14> kMatrixElements{"",   "F16", "BF16", "TF32", "F32", "F64",  "S4",
                                                "U4", "S8",  "U8",   "S32",  "B1",  "E4M3", "E5M2"};
constexpr std::array<Names, 9> kMbarrierOps{"INIT",        "INVAL",     "ARRIVE",   "ARRIVE_DROP", "EXPECT_TX",
                                            "COMPLETE_TX", "TEST_WAIT", "TRY_WAIT", "ASYNC_ARRIVE"};
constexpr std::array<Names, 5> kBulkOps{"", "LOAD", "STORE", "SEND", "PREFETCH"};
constexpr std::array<Names, 4> kSystemCalls{"vprintf", "malloc", "free", "__assertfail"};
constexpr std::array<Names, 40> kSpecials{"TID.X",
                                          "TID.Y",
                                          "TID.Z",
                                          "NTID.X",
                                          "NTID.Y",
                                          "NTID.Z",
                                          "CTAID.X",
                                          "CTAID.Y",
                                          "CTAID.Z",
                                          "NCTAID.X",
                                          "NCTAID.Y",
                                          "NCTAID.Z",
                                          "LANEID",
                                          "WARPID",
                                          "NWARPID",
                                          "SMID",
                                          "NSMID",
                                          "GRIDID",
                                          "LANEMASK_EQ",
                                          "LANEMASK_LE",
                                          "LANEMASK_LT",
                                          "LANEMASK_GE",
                                          "LANEMASK_GT",
                                          "CLUSTERID.X",
                                          "CLUSTERID.Y",
                                          "CLUSTERID.Z",
                                          "NCLUSTERID.X",
                                          "NCLUSTERID.Y",
                                          "NCLUSTERID.Z",
                                          "CLUSTER_CTAID.X",
                                          "CLUSTER_CTAID.Y",
                                          "CLUSTER_CTAID.Z",
                                          "CLUSTER_NCTAID.X",
                                          "CLUSTER_NCTAID.Y",
                                          "CLUSTER_NCTAID.Z",
                                          "CLUSTER_CTARANK",
                                          "CLUSTER_NCTARANK",
                                          "IS_EXPLICIT_CLUSTER",
                                          "CLOCK",
                                          "CLOCK_HI"};
constexpr std::array<Names, 4> kTimes{"CLOCK64", "GLOBALTIMER", "GLOBALTIMER_LO", "GLOBALTIMER_HI"};
constexpr std::array<Names, 4> kSizes{"DYNAMIC_SMEM_SIZE", "TOTAL_SMEM_SIZE", "AGGR_SMEM_SIZE", "ZERO"};

template <std::size_t N, class Enum>
constexpr Names pick(const std::array<Names, N>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : "?";
}

class Suffixes {
 public:
  void add(Names name) {
    if (!name.empty()) text_.append(".").append(name);
  }
  void addIf(bool present, Names name) {
    if (present) add(name);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string specialText(SpecialRegister special) {
  if (special >= SpecialRegister::envreg && special <= SpecialRegister::envreg_last) {
    return fmt::format("ENVREG{}", static_cast<u32>(special) - static_cast<u32>(SpecialRegister::envreg));
  }
  return std::string(name(special));
}

void addMemory(const Instruction& instruction, Suffixes& suffixes) {
  const Modifiers& m = instruction.modifiers;
  if (instruction.opcode != Opcode::fence) suffixes.add(name(m.space));
  suffixes.add(pick(kOrderings, m.ordering));
  suffixes.add(pick(kScopes, m.scope));
  suffixes.add(pick(kCaches, m.cache));
  suffixes.add(pick(kAtomics, m.atomic));
  suffixes.addIf(m.asyncProxy, "ASYNC");
  if (instruction.vector > 1) suffixes.add(fmt::format("V{}", instruction.vector));
}

void addVideo(const Video& video, Suffixes& suffixes) {
  suffixes.add(pick(kVideoOps, video.operation));
  if (video.operation == VideoOp::set) suffixes.add(name(video.compare));
  if (video.lanes > 1) suffixes.add(fmt::format("X{}", video.lanes));
  suffixes.add(pick(kVideoSeconds, video.second));
}

void addMatrix(const Matrix& matrix, Suffixes& suffixes) {
  suffixes.add(fmt::format("{}X{}X{}", matrix.m, matrix.n, matrix.k));
  for (const MatrixElement element : {matrix.d, matrix.a, matrix.b, matrix.c}) suffixes.add(pick(kMatrixElements, element));
  suffixes.addIf(matrix.exclusive, "XOR");
  suffixes.addIf(matrix.negated, "NEG");
}

// Of a warp group's: where A is, and what is held otherwise than by lines along k.
void addLayouts(const Matrix& matrix, Suffixes& suffixes) {
  suffixes.addIf(matrix.sharedA, "SHARED");
  suffixes.addIf(matrix.columnA, "TA");
  suffixes.addIf(!matrix.columnB, "TB");
}

constexpr std::string_view kGeometries[] = {"", "1D", "2D", "3D", "A1D", "A2D", "CUBE", "ACUBE"};
constexpr std::string_view kBoundaries[] = {"TRAP", "CLAMP", "ZERO"};
constexpr std::string_view kQueries[] = {"",
                                         "WIDTH",
                                         "HEIGHT",
                                         "DEPTH",
                                         "ARRAY_SIZE",
                                         "CHANNEL_DATA_TYPE",
                                         "CHANNEL_ORDER",
                                         "NORMALIZED_COORDS",
                                         "FILTER_MODE",
                                         "ADDR_MODE_0",
                                         "ADDR_MODE_1",
                                         "ADDR_MODE_2",
                                         "NUM_MIPMAP_LEVELS",
                                         "NUM_SAMPLES"};

void addTexture(const Instruction& instruction, Suffixes& suffixes) {
  const Modifiers& m = instruction.modifiers;
  suffixes.addIf(m.gather, "GATHER");
  suffixes.add(kQueries[static_cast<u8>(m.query)]);
  suffixes.add(kGeometries[static_cast<u8>(m.geometry)]);
  suffixes.add(pick(kAtomics, m.atomic));
  suffixes.addIf(m.formatted, "P");
  if (instruction.opcode != Opcode::tex && instruction.opcode != Opcode::txq) suffixes.add(kBoundaries[static_cast<u8>(m.boundary)]);
  if (instruction.vector > 1) suffixes.add(fmt::format("V{}", instruction.vector));
}

void addBulk(const Bulk& bulk, Suffixes& suffixes) {
  suffixes.add(pick(kBulkOps, bulk.operation));
  if (bulk.dimensions != 0) suffixes.add(fmt::format("{}D", bulk.dimensions));
  suffixes.addIf(bulk.multicast, "MULTICAST");
  suffixes.addIf(bulk.sourceOnly, "READ");
}

// The modifiers that only some operations have.
void addSpecific(const Instruction& instruction, Suffixes& suffixes) {
  const Modifiers& m = instruction.modifiers;
  switch (instruction.opcode) {
    case Opcode::setp:
    case Opcode::set:
      return suffixes.add(name(m.compare)), suffixes.add(pick(kBoolOps, m.combine));
    case Opcode::bar_red:
      return suffixes.add(m.combine == BoolOp::none ? "POPC" : pick(kBoolOps, m.combine));
    case Opcode::testp:
      return suffixes.add(pick(kTests, m.test));
    case Opcode::prmt:
      return suffixes.add(pick(kPermutes, m.permute));
    case Opcode::lop3:
      return suffixes.add(fmt::format("{:#04x}", m.lut));
    case Opcode::cvt_to_small:
    case Opcode::cvt_from_small:
      return suffixes.add(pick(kSmallFormats, m.small));
    case Opcode::video:
      return addVideo(m.video, suffixes);
    case Opcode::mma:
      return addMatrix(m.matrix, suffixes);
    case Opcode::wgmma:
      return addMatrix(m.matrix, suffixes), addLayouts(m.matrix, suffixes);
    case Opcode::mat_deal:
    case Opcode::mat_gather:
      return suffixes.addIf(m.matrix.transposed, "T");
    case Opcode::bulk:
    case Opcode::bulk_wait:
      return addBulk(m.bulk, suffixes);
    case Opcode::mbarrier:
      return suffixes.add(pick(kMbarrierOps, m.mbarrier)), suffixes.addIf(m.parity, "PARITY"), suffixes.addIf(m.expectsTx, "EXPECT_TX");
    case Opcode::cvta:
      return suffixes.addIf(m.toSpace, "TO"), suffixes.add(name(m.space));
    case Opcode::isspacep:
      return suffixes.add(name(m.space)), suffixes.addIf(m.ofCluster, "CLUSTER");
    case Opcode::s2r:
      return suffixes.add(specialText(m.special));
    case Opcode::shfl:
      return suffixes.add(pick(kShuffles, m.shuffle));
    case Opcode::vote:
      return suffixes.add(pick(kVotes, m.vote));
    case Opcode::match:
      return suffixes.add(m.matchAll ? "ALL" : "ANY");
    case Opcode::redux:
      return suffixes.add(pick(kAtomics, m.atomic));
    case Opcode::shf_l:
    case Opcode::shf_r:
    case Opcode::bmsk:
    case Opcode::szext:
      return suffixes.add(m.clamp ? "CLAMP" : "WRAP");
    default:
      return;
  }
}

bool hasSourceType(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::bulk) return instruction.sourceType != DataType::none;
  return opcode == Opcode::tex || opcode == Opcode::cvt || opcode == Opcode::set || opcode == Opcode::slct || opcode == Opcode::dp2a ||
         opcode == Opcode::dp4a;
}

void addTypes(const Instruction& instruction, Suffixes& suffixes) {
  const OpcodeInfo& row = info(instruction.opcode);
  if (row.destinations.empty() && row.sources.empty()) return;
  if (row.family == Family::control || row.family == Family::warp) return;
  suffixes.add(name(instruction.type));
  if (!hasSourceType(instruction)) return;
  suffixes.add(name(instruction.sourceType));
  if (instruction.modifiers.secondType != DataType::none) suffixes.add(name(instruction.modifiers.secondType));
}

}  // namespace

std::string_view name(SystemCall call) { return pick(kSystemCalls, call); }
std::string_view name(Compare compare) { return pick(kCompares, compare); }
std::string_view name(SpecialRegister special) {
  const auto index = static_cast<u32>(special);
  const auto clock64 = static_cast<u32>(SpecialRegister::clock64), sizes = static_cast<u32>(SpecialRegister::dynamic_smem_size);
  if (index < clock64) return pick(kSpecials, index);
  return index < static_cast<u32>(SpecialRegister::envreg) ? pick(kTimes, index - clock64) : pick(kSizes, index - sizes);
}

std::string modifierText(const Instruction& instruction) {
  const Modifiers& m = instruction.modifiers;
  Suffixes suffixes;
  if (info(instruction.opcode).family == Family::memory) addMemory(instruction, suffixes);
  if (info(instruction.opcode).family == Family::texture) addTexture(instruction, suffixes);
  addSpecific(instruction, suffixes);
  suffixes.add(pick(kAccuracies, m.accuracy));
  suffixes.add(pick(kRoundings, m.rounding));
  suffixes.addIf(m.integral, "INT");
  suffixes.addIf(m.ftz, "FTZ");
  suffixes.addIf(m.saturate, "SAT");
  suffixes.addIf(m.nanMode, "NAN");
  suffixes.addIf(m.relu, "RELU");
  suffixes.addIf(m.satFinite, "SATFINITE");
  suffixes.addIf(m.tiesAway, "RNA");
  suffixes.addIf(m.carryIn, "X");
  suffixes.addIf(m.carryOut, "CC");
  suffixes.addIf(m.shiftAmount, "SHIFTAMT");
  suffixes.addIf(m.high, "HI");
  suffixes.addIf(m.synchronised, "SYNC");
  suffixes.addIf(m.aligned, "ALIGNED");
  addTypes(instruction, suffixes);
  return suffixes.take();
}

}  // namespace warpwright::isa
