// Units that declare what others define.
#include "ptx/link.hpp"

#include "parse_helpers.hpp"

namespace warpwright::ptx {
namespace {

Module joined(const std::vector<std::string>& texts) {
  std::vector<Unit> units;
  for (const std::string& text : texts) units.push_back({parseModule(text), static_cast<u32>(units.size()) * 100});
  return link(std::move(units), "program");
}

std::string errorOfLink(const std::vector<std::string>& texts) {
  try {
    joined(texts);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

constexpr const char* kCaller =
    ".extern .func callee(.param .b32 x);\n.extern .global .align 4 .u32 counter;\n"
    ".visible .entry k() { .reg .b32 %r<2>; mov.u32 %r0, counter; { .param .b32 p; st.param.b32 [p], %r0; call callee, (p); } ret; }\n";
constexpr const char* kCallee =
    ".global .align 4 .u32 first = 1;\n.visible .global .align 4 .u32 counter = 7;\n.visible .func callee(.param .b32 x) { ret; }\n";

TEST(Link, ADeclarationMeansTheOtherUnitsDefinition) {
  for (const auto& texts : {std::vector<std::string>{kCaller, kCallee}, std::vector<std::string>{kCallee, kCaller}}) {
    const Module module = joined(texts);
    ASSERT_EQ(module.functions.size(), 2u);
    ASSERT_EQ(module.variables.size(), 2u);
    const Function& kernel = module.functions.at(module.findFunction("k"));
    EXPECT_EQ(kernel.body.at(0).operands.at(1).symbol.index, module.findVariable("counter"));
    EXPECT_EQ(kernel.body.at(2).operands.at(1).symbol.index, module.findFunction("callee"));
    EXPECT_FALSE(module.functions.at(module.findFunction("callee")).isDeclaration);
    EXPECT_EQ(module.variables.at(module.findVariable("counter")).image.at(0), 7);
  }
}

TEST(Link, NamesWithoutLinkageBelongToTheirUnit) {
  const std::string unit = ".global .align 4 .u32 own = ";
  const Module module = joined({unit + "1;", unit + "2;"});
  ASSERT_EQ(module.variables.size(), 2u);
  EXPECT_NE(module.variables.at(0).name, module.variables.at(1).name);
  EXPECT_EQ(module.variables.at(0).image.at(0), 1);
  EXPECT_EQ(module.variables.at(1).image.at(0), 2);
}

TEST(Link, AVisibleDefinitionComesBeforeAWeakOne) {
  const Module module =
      joined({".weak .global .align 4 .u32 v = 1;", ".visible .global .align 4 .u32 v = 2;", ".weak .global .align 4 .u32 v = 3;"});
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.variables.at(0).image.at(0), 2);
}

TEST(Link, OfSeveralWeakFunctionsOneStays) {
  const std::string unit = ".weak .func f() { ret; }\n";
  EXPECT_EQ(joined({unit, unit, unit}).functions.size(), 1u);
}

TEST(Link, LinesCountThroughTheJoinedText) {
  const Module module = joined({".visible .func a() { ret; }", ".visible .func b() { ret; }"});
  EXPECT_EQ(module.functions.at(1).body.at(0).line, module.functions.at(0).body.at(0).line + 100);
}

TEST(Link, TwoDefinitionsAndUnlikeDeclarationsAreErrors) {
  const std::string definition = ".visible .global .align 4 .u32 v = 1;";
  EXPECT_TRUE(contains(errorOfLink({definition, definition}), "'v' is defined in two")) << errorOfLink({definition, definition});
  EXPECT_TRUE(contains(errorOfLink({".extern .func f(.param .b32 x);", ".visible .func f() { ret; }"}), "declared with 1"));
}

}  // namespace
}  // namespace warpwright::ptx
