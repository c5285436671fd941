// The names of the modifiers in matrix_form.hpp and what they set.
#include "ptx/matrix_modifiers.hpp"

#include <array>

namespace warpwright::ptx {
namespace {

struct Shape {
  std::string_view name;
  u8 m;
  u16 n, k;
};
// A group's products of 8 to 256 columns.
#define WW_GROUP_SHAPES(n) \
  Shape{"m64n" #n "k8", 64, n, 8}, Shape{"m64n" #n "k16", 64, n, 16}, Shape{"m64n" #n "k32", 64, n, 32}, Shape{"m64n" #n "k256", 64, n, 256}
// m8n8 is that of ldmatrix, stmatrix and movmatrix.
constexpr std::array kShapes = {
    Shape{"m8n8", 8, 8, 0},       Shape{"m8n8k4", 8, 8, 4},     Shape{"m8n8k16", 8, 8, 16},     Shape{"m8n8k32", 8, 8, 32},
    Shape{"m16n8k4", 16, 8, 4},   Shape{"m16n8k8", 16, 8, 8},   Shape{"m16n8k16", 16, 8, 16},   Shape{"m16n8k32", 16, 8, 32},
    Shape{"m16n8k64", 16, 8, 64}, Shape{"m16n16k8", 16, 16, 8}, Shape{"m16n16k16", 16, 16, 16}, Shape{"m32n8k16", 32, 8, 16},
    Shape{"m8n32k16", 8, 32, 16}, Shape{"m8n8k128", 8, 8, 128}, Shape{"m16n8k128", 16, 8, 128}, Shape{"m16n8k256", 16, 8, 256},
    WW_GROUP_SHAPES(8),           WW_GROUP_SHAPES(16),          WW_GROUP_SHAPES(24),            WW_GROUP_SHAPES(32),
    WW_GROUP_SHAPES(40),          WW_GROUP_SHAPES(48),          WW_GROUP_SHAPES(56),            WW_GROUP_SHAPES(64),
    WW_GROUP_SHAPES(72),          WW_GROUP_SHAPES(80),          WW_GROUP_SHAPES(88),            WW_GROUP_SHAPES(96),
    WW_GROUP_SHAPES(104),         WW_GROUP_SHAPES(112),         WW_GROUP_SHAPES(120),           WW_GROUP_SHAPES(128),
    WW_GROUP_SHAPES(136),         WW_GROUP_SHAPES(144),         WW_GROUP_SHAPES(152),           WW_GROUP_SHAPES(160),
    WW_GROUP_SHAPES(168),         WW_GROUP_SHAPES(176),         WW_GROUP_SHAPES(184),           WW_GROUP_SHAPES(192),
    WW_GROUP_SHAPES(200),         WW_GROUP_SHAPES(208),         WW_GROUP_SHAPES(216),           WW_GROUP_SHAPES(224),
    WW_GROUP_SHAPES(232),         WW_GROUP_SHAPES(240),         WW_GROUP_SHAPES(248),           WW_GROUP_SHAPES(256),
};
#undef WW_GROUP_SHAPES
static_assert(kShapes.size() <= 256, "the code of a modifier's value is a byte");

constexpr std::array<ModifierValue, kShapes.size()> shapeValues() {
  std::array<ModifierValue, kShapes.size()> values{};
  for (std::size_t i = 0; i < kShapes.size(); ++i) values[i] = {kShapes[i].name, static_cast<u8>(i)};
  return values;
}
constexpr std::array kShapeValues = shapeValues();

constexpr std::array kElements = {
    value("f16", MatrixElement::f16),   value("bf16", MatrixElement::bf16), value("tf32", MatrixElement::tf32),
    value("f32", MatrixElement::f32),   value("f64", MatrixElement::f64),   value("s4", MatrixElement::s4),
    value("u4", MatrixElement::u4),     value("s8", MatrixElement::s8),     value("u8", MatrixElement::u8),
    value("s32", MatrixElement::s32),   value("b1", MatrixElement::b1),     value("e4m3", MatrixElement::e4m3),
    value("e5m2", MatrixElement::e5m2),
};
constexpr std::array kLayout = {value("row", false), value("col", true)};
constexpr std::array kParts = {value("a", MatrixPart::a), value("b", MatrixPart::b), value("c", MatrixPart::c), value("d", MatrixPart::d),
                               value("mma", MatrixPart::multiply)};
constexpr std::array kCount = {value("x1", 1), value("x2", 2), value("x4", 4)};
constexpr std::array kTransposed = {value("trans", true)};
constexpr std::array kMbarrier = {
    value("init", MbarrierOp::init),
    value("inval", MbarrierOp::inval),
    value("arrive", MbarrierOp::arrive),
    value("arrive_drop", MbarrierOp::arriveDrop),
    value("expect_tx", MbarrierOp::expectTx),
    value("complete_tx", MbarrierOp::completeTx),
    value("test_wait", MbarrierOp::testWait),
    value("try_wait", MbarrierOp::tryWait),
    value("pending_count", MbarrierOp::pendingCount),
};
constexpr std::array kAsync = {value("commit_group", AsyncOp::commit), value("wait_group", AsyncOp::waitGroup),
                               value("wait_all", AsyncOp::waitAll), value("mbarrier", AsyncOp::mbarrierArrive),
                               value("fence", AsyncOp::fence), value("mma_async", AsyncOp::multiply)};

}  // namespace

void applyMatrixModifier(Category category, const ModifierValue& value, Modifiers& modifiers) {
  MatrixForm& matrix = modifiers.matrix;
  const bool set = value.code != 0;
  const auto element = static_cast<MatrixElement>(value.code);
  switch (category) {
    case Category::shape: {
      const Shape& shape = kShapes[value.code];
      matrix.m = shape.m, matrix.n = shape.n, matrix.k = shape.k;
      return;
    }
    case Category::elementA:
      matrix.a = element;
      return;
    case Category::elementB:
      matrix.b = element;
      return;
    case Category::elementC:
      matrix.c = element;
      return;
    case Category::elementD:
      matrix.d = element;
      return;
    case Category::layoutA:
      matrix.columnA = set;
      return;
    case Category::layoutB:
      matrix.columnB = set;
      return;
    case Category::matrixPart:
      matrix.part = static_cast<MatrixPart>(value.code);
      return;
    case Category::matrixCount:
      matrix.count = value.code;
      return;
    case Category::transposed:
      matrix.transposed = set;
      return;
    case Category::mbarrier:
      modifiers.mbarrier = static_cast<MbarrierOp>(value.code);
      return;
    case Category::async:
      modifiers.async = static_cast<AsyncOp>(value.code);
      return;
    default:
      return;
  }
}

std::span<const ModifierValue> matrixValuesOf(Category category) {
  switch (category) {
    case Category::shape:
      return kShapeValues;
    case Category::elementA:
    case Category::elementB:
    case Category::elementC:
    case Category::elementD:
      return kElements;
    case Category::layoutA:
    case Category::layoutB:
      return kLayout;
    case Category::matrixPart:
      return kParts;
    case Category::matrixCount:
      return kCount;
    case Category::transposed:
      return kTransposed;
    case Category::mbarrier:
      return kMbarrier;
    case Category::async:
      return kAsync;
    default:
      return {};
  }
}

}  // namespace warpwright::ptx
