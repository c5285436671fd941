// The names of modifier values and what they set.
#include <array>

#include "ptx/grammar.hpp"
#include "ptx/matrix_modifiers.hpp"

namespace warpwright::ptx {
namespace {

constexpr std::array kRounding = {
    value("rn", Rounding::rn),   value("rz", Rounding::rz),   value("rm", Rounding::rm),
    value("rp", Rounding::rp),   value("rna", Rounding::rna), value("rni", Rounding::rni),
    value("rzi", Rounding::rzi), value("rmi", Rounding::rmi), value("rpi", Rounding::rpi),
};
constexpr std::array kCompare = {
    value("eq", Compare::eq),   value("ne", Compare::ne),   value("lt", Compare::lt),   value("le", Compare::le),
    value("gt", Compare::gt),   value("ge", Compare::ge),   value("lo", Compare::lo),   value("ls", Compare::ls),
    value("hi", Compare::hi),   value("hs", Compare::hs),   value("equ", Compare::equ), value("neu", Compare::neu),
    value("ltu", Compare::ltu), value("leu", Compare::leu), value("gtu", Compare::gtu), value("geu", Compare::geu),
    value("num", Compare::num), value("nan", Compare::nan),
};
constexpr std::array kCombine = {value("and", BoolOp::and_), value("or", BoolOp::or_), value("xor", BoolOp::xor_)};
constexpr std::array kMul = {value("lo", MulMode::lo), value("hi", MulMode::hi), value("wide", MulMode::wide)};
constexpr std::array kSpace = {
    value("const", Space::constant), value("global", Space::global),      value("local", Space::local),
    value("param", Space::param),    value("param::entry", Space::param), value("param::func", Space::param),
    value("shared", Space::shared),  value("shared::cta", Space::shared), value("shared::cluster", Space::shared),
};
constexpr std::array kVector = {value("v2", 2), value("v4", 4), value("v8", 8)};
constexpr std::array kAtomic = {
    value("and", AtomicOp::and_),  value("or", AtomicOp::or_),  value("xor", AtomicOp::xor_), value("cas", AtomicOp::cas),
    value("exch", AtomicOp::exch), value("add", AtomicOp::add), value("inc", AtomicOp::inc),  value("dec", AtomicOp::dec),
    value("min", AtomicOp::min),   value("max", AtomicOp::max),
};
constexpr std::array kOrdering = {
    value("weak", Ordering::weak),       value("volatile", Ordering::volatile_), value("relaxed", Ordering::relaxed),
    value("acquire", Ordering::acquire), value("release", Ordering::release),    value("acq_rel", Ordering::acq_rel),
    value("sc", Ordering::sc),           value("mmio", Ordering::mmio),
};
// membar.gl is the old name of the scope of one GPU.
constexpr std::array kScope = {value("cta", Scope::cta), value("cluster", Scope::cluster), value("gpu", Scope::gpu),
                               value("gl", Scope::gpu), value("sys", Scope::sys)};
constexpr std::array kCache = {
    value("ca", CacheOp::ca), value("cg", CacheOp::cg), value("cs", CacheOp::cs), value("lu", CacheOp::lu),
    value("cv", CacheOp::cv), value("wb", CacheOp::wb), value("wt", CacheOp::wt), value("nc", CacheOp::nc),
};
constexpr std::array kShuffle = {value("up", ShuffleMode::up), value("down", ShuffleMode::down), value("bfly", ShuffleMode::bfly),
                                 value("idx", ShuffleMode::idx)};
constexpr std::array kVote = {value("all", VoteMode::all), value("any", VoteMode::any), value("uni", VoteMode::uni),
                              value("ballot", VoteMode::ballot)};
constexpr std::array kBarrier = {value("sync", BarrierOp::sync), value("arrive", BarrierOp::arrive), value("red", BarrierOp::red),
                                 value("warp", BarrierOp::warp_sync), value("wait", BarrierOp::wait)};
constexpr std::array kPrmt = {value("f4e", PrmtMode::f4e), value("b4e", PrmtMode::b4e), value("rc8", PrmtMode::rc8),
                              value("ecl", PrmtMode::ecl), value("ecr", PrmtMode::ecr), value("rc16", PrmtMode::rc16)};
constexpr std::array kTest = {
    value("finite", TestProperty::finite),         value("infinite", TestProperty::infinite), value("number", TestProperty::number),
    value("notanumber", TestProperty::notanumber), value("normal", TestProperty::normal),     value("subnormal", TestProperty::subnormal),
};
constexpr std::array kClamp = {value("wrap", false), value("clamp", true)};
constexpr std::array kDirection = {value("r", false), value("l", true)};
constexpr std::array kHalf = {value("lo", false), value("hi", true)};
constexpr std::array kMatch = {value("all", false), value("any", true)};
constexpr std::array kGeometry = {
    value("1d", Geometry::d1),   value("2d", Geometry::d2),     value("3d", Geometry::d3),       value("a1d", Geometry::a1d),
    value("a2d", Geometry::a2d), value("cube", Geometry::cube), value("acube", Geometry::acube),
};
constexpr std::array kBoundary = {value("trap", SurfaceBoundary::trap), value("clamp", SurfaceBoundary::clamp),
                                  value("zero", SurfaceBoundary::zero)};
constexpr std::array kQuery = {
    value("width", TextureQuery::width),
    value("height", TextureQuery::height),
    value("depth", TextureQuery::depth),
    value("array_size", TextureQuery::array_size),
    value("channel_data_type", TextureQuery::channel_data_type),
    value("channel_order", TextureQuery::channel_order),
    value("normalized_coords", TextureQuery::normalized_coords),
    value("filter_mode", TextureQuery::filter_mode),
    value("addr_mode_0", TextureQuery::addr_mode_0),
    value("addr_mode_1", TextureQuery::addr_mode_1),
    value("addr_mode_2", TextureQuery::addr_mode_2),
    value("num_mipmap_levels", TextureQuery::num_mipmap_levels),
    value("num_samples", TextureQuery::num_samples),
};
constexpr std::array kComponent = {value("r", 0), value("g", 1), value("b", 2), value("a", 3)};
constexpr std::array kDimensions = {value("1d", 1), value("2d", 2), value("3d", 3), value("4d", 4), value("5d", 5)};
constexpr std::array kFields = {
    value("global_address", MapField::global_address),
    value("rank", MapField::rank),
    value("box_dim", MapField::box_dim),
    value("global_dim", MapField::global_dim),
    value("global_stride", MapField::global_stride),
    value("element_stride", MapField::element_stride),
    value("elemtype", MapField::elemtype),
    value("interleave_layout", MapField::interleave_layout),
    value("swizzle_mode", MapField::swizzle_mode),
    value("swizzle_atomicity", MapField::swizzle_atomicity),
    value("fill_mode", MapField::fill_mode),
};
constexpr std::array kAccumulate = {value("add", Accumulate::add), value("min", Accumulate::min), value("max", Accumulate::max)};
constexpr std::array kTypeNames = {
    value("pred", Type::pred),     value("b8", Type::b8),           value("b16", Type::b16),       value("b32", Type::b32),
    value("b64", Type::b64),       value("u8", Type::u8),           value("u16", Type::u16),       value("u32", Type::u32),
    value("u64", Type::u64),       value("s8", Type::s8),           value("s16", Type::s16),       value("s32", Type::s32),
    value("s64", Type::s64),       value("f16", Type::f16),         value("f32", Type::f32),       value("f64", Type::f64),
    value("b128", Type::b128),     value("f16x2", Type::f16x2),     value("bf16", Type::bf16),     value("bf16x2", Type::bf16x2),
    value("tf32", Type::tf32),     value("f32x2", Type::f32x2),     value("u16x2", Type::u16x2),   value("s16x2", Type::s16x2),
    value("e4m3x2", Type::e4m3x2), value("e5m2x2", Type::e5m2x2),   value("e2m3x2", Type::e2m3x2), value("e3m2x2", Type::e3m2x2),
    value("e2m1x2", Type::e2m1x2), value("ue8m0x2", Type::ue8m0x2),
};

struct FlagEffect {
  std::string_view text;
  bool Modifiers::*field;
};
constexpr FlagEffect kFlags[] = {
    {"ftz", &Modifiers::ftz},
    {"sat", &Modifiers::sat},
    {"approx", &Modifiers::approx},
    {"full", &Modifiers::full},
    {"cc", &Modifiers::carryOut},
    {"uni", &Modifiers::uni},
    {"sync", &Modifiers::sync},
    {"aligned", &Modifiers::aligned},
    {"shiftamt", &Modifiers::shiftAmount},
    {"expect_tx", &Modifiers::expectTx},
    {"parity", &Modifiers::parity},
    {"noinc", &Modifiers::noIncrement},
    {"to", &Modifiers::toSpace},
    {"NaN", &Modifiers::nan},
    {"p", &Modifiers::formatted},
    {"relu", &Modifiers::relu},
    {"satfinite", &Modifiers::satFinite},
    {"xorsign", &Modifiers::xorsign},
    {"abs", &Modifiers::absolute},
    {"noftz", &Modifiers::noftz},
    {"L2::cache_hint", &Modifiers::cacheHint},
    {"cluster", &Modifiers::cluster},
    {"global", &Modifiers::ofGlobal},
    {"bulk", &Modifiers::bulk},
    {"async", &Modifiers::isAsync},
    {"prefetch", &Modifiers::prefetches},
    {"tensor", &Modifiers::tensor},
    {"shared::cta", &Modifiers::fromShared},
    {"multicast::cluster", &Modifiers::multicast},
    {"read", &Modifiers::sourceOnly},
    {"replace", &Modifiers::replaces},
    {"tensormap", &Modifiers::tensorMap},
    {"L2", &Modifiers::secondLevel},
    {"L2::evict_last", &Modifiers::secondLevel},
    {"L2::evict_normal", &Modifiers::secondLevel},
    {"po", &Modifiers::plusOne},
};

// Flags without an entry (hints for eviction and for the size of fetches, the redundant .cta of barriers) change nothing.
void applyFlag(std::string_view text, Modifiers& modifiers) {
  for (const FlagEffect& flag : kFlags)
    if (flag.text == text) modifiers.*flag.field = true;
  if (text == "shr7") modifiers.scale = 7;
  if (text == "shr15") modifiers.scale = 15;
}

}  // namespace

void applyModifier(Category category, const ModifierValue& value, Modifiers& modifiers) {
  switch (category) {
    case Category::flag:
      return applyFlag(value.text, modifiers);
    case Category::type:
      modifiers.type = static_cast<Type>(value.code);
      return;
    case Category::source:
      modifiers.source = static_cast<Type>(value.code);
      return;
    case Category::second:
      modifiers.second = static_cast<Type>(value.code);
      return;
    case Category::accumulate:
      modifiers.accumulate = static_cast<Accumulate>(value.code);
      return;
    case Category::rounding:
      modifiers.rounding = static_cast<Rounding>(value.code);
      return;
    case Category::compare:
      modifiers.compare = static_cast<Compare>(value.code);
      return;
    case Category::combine:
      modifiers.combine = static_cast<BoolOp>(value.code);
      return;
    case Category::mul:
      modifiers.mul = static_cast<MulMode>(value.code);
      return;
    case Category::space:
      modifiers.space = static_cast<Space>(value.code);
      modifiers.ofCluster = value.text == "shared::cluster";
      return;
    case Category::vector:
      modifiers.vector = value.code;
      return;
    case Category::atomic:
      modifiers.atomic = static_cast<AtomicOp>(value.code);
      return;
    case Category::ordering:
      modifiers.ordering = static_cast<Ordering>(value.code);
      return;
    case Category::scope:
      modifiers.scope = static_cast<Scope>(value.code);
      return;
    case Category::cache:
      modifiers.cache = static_cast<CacheOp>(value.code);
      return;
    case Category::shuffle:
      modifiers.shuffle = static_cast<ShuffleMode>(value.code);
      return;
    case Category::vote:
      modifiers.vote = static_cast<VoteMode>(value.code);
      return;
    case Category::barrier:
      modifiers.barrier = static_cast<BarrierOp>(value.code);
      return;
    case Category::prmt:
      modifiers.prmt = static_cast<PrmtMode>(value.code);
      return;
    case Category::test:
      modifiers.test = static_cast<TestProperty>(value.code);
      return;
    case Category::clamp:
      modifiers.clampShift = value.code != 0;
      return;
    case Category::direction:
      modifiers.left = value.code != 0;
      return;
    case Category::half:
      modifiers.high = value.code != 0;
      return;
    case Category::match:
      modifiers.anyMatch = value.code != 0;
      return;
    case Category::shape:
    case Category::elementA:
    case Category::elementB:
    case Category::elementC:
    case Category::elementD:
    case Category::layoutA:
    case Category::layoutB:
    case Category::matrixPart:
    case Category::matrixCount:
    case Category::transposed:
    case Category::mbarrier:
    case Category::async:
      return applyMatrixModifier(category, value, modifiers);
    case Category::geometry:
      modifiers.geometry = static_cast<Geometry>(value.code);
      return;
    case Category::boundary:
      modifiers.boundary = static_cast<SurfaceBoundary>(value.code);
      return;
    case Category::query:
      modifiers.query = static_cast<TextureQuery>(value.code);
      return;
    case Category::component:
      modifiers.component = value.code;
      return;
    case Category::dimensions:
      modifiers.dimensions = value.code;
      return;
    case Category::field:
      modifiers.field = static_cast<MapField>(value.code);
      return;
  }
}

std::span<const ModifierValue> valuesOf(Category category) {
  switch (category) {
    case Category::flag:
      return {};
    case Category::type:
      return kTypeNames;
    case Category::source:
      return kTypeNames;
    case Category::second:
      return kTypeNames;
    case Category::accumulate:
      return kAccumulate;
    case Category::rounding:
      return kRounding;
    case Category::compare:
      return kCompare;
    case Category::combine:
      return kCombine;
    case Category::mul:
      return kMul;
    case Category::space:
      return kSpace;
    case Category::vector:
      return kVector;
    case Category::atomic:
      return kAtomic;
    case Category::ordering:
      return kOrdering;
    case Category::scope:
      return kScope;
    case Category::cache:
      return kCache;
    case Category::shuffle:
      return kShuffle;
    case Category::vote:
      return kVote;
    case Category::barrier:
      return kBarrier;
    case Category::prmt:
      return kPrmt;
    case Category::test:
      return kTest;
    case Category::clamp:
      return kClamp;
    case Category::direction:
      return kDirection;
    case Category::half:
      return kHalf;
    case Category::match:
      return kMatch;
    case Category::shape:
    case Category::elementA:
    case Category::elementB:
    case Category::elementC:
    case Category::elementD:
    case Category::layoutA:
    case Category::layoutB:
    case Category::matrixPart:
    case Category::matrixCount:
    case Category::transposed:
    case Category::mbarrier:
    case Category::async:
      return matrixValuesOf(category);
    case Category::geometry:
      return kGeometry;
    case Category::boundary:
      return kBoundary;
    case Category::query:
      return kQuery;
    case Category::component:
      return kComponent;
    case Category::dimensions:
      return kDimensions;
    case Category::field:
      return kFields;
  }
  return {};
}

}  // namespace warpwright::ptx
