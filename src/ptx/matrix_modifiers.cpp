// The names of the modifiers in matrix_form.hpp and what they set.
#include "ptx/matrix_modifiers.hpp"

#include <algorithm>
#include <array>

namespace warpwright::ptx {
namespace {

struct Shape {
  std::string_view name;
  u8 m = 0;
  u16 n = 0, k = 0;
};
// m8n8 is that of ldmatrix, stmatrix and movmatrix.
constexpr std::array kWarpShapes = {
    Shape{"m8n8", 8, 8, 0},       Shape{"m8n8k4", 8, 8, 4},     Shape{"m8n8k16", 8, 8, 16},     Shape{"m8n8k32", 8, 8, 32},
    Shape{"m16n8k4", 16, 8, 4},   Shape{"m16n8k8", 16, 8, 8},   Shape{"m16n8k16", 16, 8, 16},   Shape{"m16n8k32", 16, 8, 32},
    Shape{"m16n8k64", 16, 8, 64}, Shape{"m16n16k8", 16, 16, 8}, Shape{"m16n16k16", 16, 16, 16}, Shape{"m32n8k16", 32, 8, 16},
    Shape{"m8n32k16", 8, 32, 16}, Shape{"m8n8k128", 8, 8, 128}, Shape{"m16n8k128", 16, 8, 128}, Shape{"m16n8k256", 16, 8, 256},
};

// Those of warp groups have 8, 16, … 256 columns and one of these depths: "m64n8k8" … "m64n256k256".
constexpr std::array<u16, 4> kGroupDepths = {8, 16, 32, 256};
constexpr u16 kColumnStep = 8, kMostColumns = 256;
constexpr std::size_t kGroupShapes = kGroupDepths.size() * kMostColumns / kColumnStep;
using ShapeName = std::array<char, sizeof "m64n256k256">;

constexpr char* append(char* end, std::string_view text) { return std::copy(text.begin(), text.end(), end); }
constexpr char* append(char* end, u32 number) {
  if (number >= 10) end = append(end, number / 10);
  *end = static_cast<char>('0' + number % 10);
  return end + 1;
}

constexpr u16 columnsOf(std::size_t group) { return static_cast<u16>((group / kGroupDepths.size() + 1) * kColumnStep); }
constexpr u16 depthOf(std::size_t group) { return kGroupDepths[group % kGroupDepths.size()]; }

constexpr std::array<ShapeName, kGroupShapes> groupNames() {
  std::array<ShapeName, kGroupShapes> names{};
  for (std::size_t i = 0; i < names.size(); ++i) append(append(append(append(names[i].data(), "m64n"), columnsOf(i)), "k"), depthOf(i));
  return names;
}
constexpr std::array kGroupNames = groupNames();

constexpr std::array<Shape, kWarpShapes.size() + kGroupShapes> allShapes() {
  std::array<Shape, kWarpShapes.size() + kGroupShapes> shapes{};
  std::copy(kWarpShapes.begin(), kWarpShapes.end(), shapes.begin());
  for (std::size_t i = 0; i < kGroupShapes; ++i) shapes[kWarpShapes.size() + i] = {kGroupNames[i].data(), 64, columnsOf(i), depthOf(i)};
  return shapes;
}
constexpr std::array kShapes = allShapes();
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
                               value("wait_all", AsyncOp::waitAll),    value("mbarrier", AsyncOp::mbarrierArrive),
                               value("fence", AsyncOp::fence),         value("mma_async", AsyncOp::multiply)};

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
