// Functions, scopes, labels, calls, lines.
#include "parse_helpers.hpp"

namespace warpwright::ptx {
namespace {

using Kind = Operand::Kind;

TEST(Functions, HeaderDirectives) {
  const Module module = parseModule(
      ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24], .param .f32 x)\n"
      ".maxntid 256, 2\n.minnctapersm 3\n.maxnreg 40\n{ .pragma \"nounroll\"; ret; }\n"
      ".weak .func (.param .b32 r) f(.param .b64 a) .noreturn { ret; }\n"
      ".entry q() .reqntid 32, 4, 2 .explicitcluster .reqnctapercluster 2, 3 .maxclusterrank 8 { }");
  const Function& k = module.functions[0];
  EXPECT_TRUE(k.isKernel);
  EXPECT_EQ(k.linkage, Linkage::visible);
  EXPECT_EQ(k.maxThreads, (Dim3{256, 2, 1}));
  EXPECT_EQ(k.minBlocksPerSm, 3u);
  EXPECT_EQ(k.maxRegisters, 40u);
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[0].pointee, Space::global);
  EXPECT_EQ(k.parameters[0].pointeeAlignment, 16u);
  EXPECT_EQ(k.parameters[0].alignment, 8u);
  EXPECT_EQ(k.parameters[1].size, 24u);
  EXPECT_EQ(k.parameters[1].alignment, 8u);
  EXPECT_EQ(k.parameters[2].type, Type::f32);
  ASSERT_EQ(k.pragmas.size(), 1u);
  EXPECT_EQ(k.pragmas[0].text, "nounroll");
  EXPECT_EQ(k.pragmas[0].position, 0u);
  const Function& f = module.functions[1];
  EXPECT_FALSE(f.isKernel);
  EXPECT_TRUE(f.noReturn);
  EXPECT_EQ(f.linkage, Linkage::weak);
  EXPECT_EQ(f.returns[0].name, "r");
  EXPECT_EQ(module.functions[2].requiredThreads, (Dim3{32, 4, 2}));
  EXPECT_TRUE(module.functions[2].explicitCluster);
  EXPECT_EQ(module.functions[2].requiredCluster, (Dim3{2, 3, 1}));
  EXPECT_EQ(module.functions[2].maxClusterRank, 8u);
  EXPECT_FALSE(k.explicitCluster || k.requiredCluster || k.maxClusterRank);
  EXPECT_EQ(module.findFunction("f"), 1u);
  EXPECT_EQ(module.findFunction("nobody"), kNoIndex);
}

TEST(Functions, DeclarationAndDefinitionShareAnIndex) {
  const Module module = parseModule(
      ".func f(.param .b32 a);\n.entry k() { .param .b32 x; call f, (x); ret; }\n.func f(.param .b32 a) { ret; }\n.extern .func g();");
  ASSERT_EQ(module.functions.size(), 3u);
  EXPECT_FALSE(module.functions[0].isDeclaration);
  EXPECT_EQ(module.functions[0].body.size(), 1u);
  EXPECT_EQ(module.functions[1].body[0].operands[1].symbol, (SymbolRef{SymbolKind::function, 0}));
  EXPECT_TRUE(module.functions[2].isDeclaration);
}

TEST(Functions, RegisterParametersAreRegisters) {
  const Function f = parseModule(".func (.reg .u32 %out) f(.reg .f32 %in) { cvt.rzi.u32.f32 %out, %in; ret; }").functions[0];
  ASSERT_EQ(f.registers.size(), 2u);
  EXPECT_EQ(f.registers[f.returns[0].reg].name, "%out");
  EXPECT_EQ(f.registers[f.parameters[0].reg].type, Type::f32);
  EXPECT_EQ(f.body[0].operands[0].reg, f.returns[0].reg);
}

TEST(Functions, AliasIsASecondCopy) {
  const Module module = parseModule(".func f();\n.func g() { trap; ret; }\n.alias f, g;");
  EXPECT_EQ(module.functions[0].name, "f");
  EXPECT_FALSE(module.functions[0].isDeclaration);
  EXPECT_EQ(module.functions[0].body.size(), 2u);
}

TEST(Scopes, InnerDeclarationsHideOuterOnes) {
  const Function function = parseKernel(
      "{ .reg .f32 %r1; .param .b32 x; mov.f32 %r1, 0f00000000; st.param.b32 [x], 1; }\n"
      "{ .reg .f64 %r1; .param .b64 x; mov.f64 %r1, 0d0000000000000000; st.param.b64 [x+0], 2; }\n mov.u32 %r1, 0;");
  EXPECT_EQ(function.registers[function.body[0].operands[0].reg].type, Type::f32);
  EXPECT_EQ(function.registers[function.body[2].operands[0].reg].type, Type::f64);
  EXPECT_EQ(function.registers[function.body[4].operands[0].reg].type, Type::b32);
  EXPECT_EQ(function.body[1].operands[0].symbol, (SymbolRef{SymbolKind::function_variable, 0}));
  EXPECT_EQ(function.body[3].operands[0].symbol, (SymbolRef{SymbolKind::function_variable, 1}));
  EXPECT_EQ(function.variables[1].size, 8u);
}

TEST(Labels, ForwardBackwardAndScoped) {
  const Function function = parseKernel("bra end; { loop: @%p1 bra loop; bra end; } { loop: @%p1 bra loop; } end: bra end;");
  ASSERT_EQ(function.labels.size(), 3u);
  EXPECT_EQ(function.labels[0].position, 1u);
  EXPECT_EQ(function.labels[1].position, 3u);
  EXPECT_EQ(function.labels[2].position, 4u);
  const u32 targets[] = {2, 0, 2, 1, 2};
  for (u32 i = 0; i < 5; ++i) EXPECT_EQ(function.body[i].operands[0].symbol, (SymbolRef{SymbolKind::label, targets[i]})) << i;
}

TEST(Labels, AtTheEndPointBehindTheBody) {
  const Function function = parseModule(".entry k() { bra end; end: }").functions[0];
  EXPECT_EQ(function.labels[0].position, 1u);
}

TEST(Labels, BranchTargets) {
  const Function function = parseKernel("list: .branchtargets A, B, A; brx.idx %r1, list; A: trap; B: trap;");
  ASSERT_EQ(function.branchTargets.size(), 1u);
  EXPECT_EQ(function.branchTargets[0].entries, (std::vector<u32>{0, 1, 0}));
  EXPECT_EQ(function.body[0].operands[1].symbol, (SymbolRef{SymbolKind::branch_targets, 0}));
}

TEST(Calls, BothSyntaxesGiveFourOperands) {
  const Module module = parseModule(
      ".func (.param .b32 r) f(.param .b32 a, .param .b64 b);\n.func g();\n"
      ".entry k() { .reg .b32 %r<3>; .param .b32 p; .param .b64 q; .param .b32 v;\n"
      "call.uni (v), f, (p, q); call (%r1), f, (7, 0d3FF0000000000000); call g; call g, (); }");
  const auto& body = module.functions[2].body;
  for (const Instruction& call : body) ASSERT_EQ(call.operands.size(), 4u) << call.text;
  EXPECT_TRUE(body[0].modifiers.uni);
  EXPECT_EQ(body[0].operands[0].elements[0].symbol, (SymbolRef{SymbolKind::function_variable, 2}));
  EXPECT_EQ(body[0].operands[1].symbol, (SymbolRef{SymbolKind::function, 0}));
  EXPECT_EQ(body[0].operands[2].elements[1].symbol, (SymbolRef{SymbolKind::function_variable, 1}));
  EXPECT_EQ(body[0].operands[3].kind, Kind::none);
  EXPECT_EQ(body[1].operands[0].elements[0].kind, Kind::reg);
  EXPECT_EQ(body[1].operands[2].elements[0].bits, 7u);
  EXPECT_EQ(body[2].operands[0].kind, Kind::group);
  EXPECT_TRUE(body[3].operands[2].elements.empty());
}

TEST(Calls, IndirectOnesNameAPrototypeOrTargets) {
  const Module module = parseModule(
      ".func (.param .b32 r) f(.param .b32 a);\n.entry k() { .reg .b64 %rd<3>; .param .b32 p;\n"
      "proto: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;\nlist: .calltargets f;\n"
      "call (p), %rd1, (p), proto; call (p), %rd1, (p), list; }");
  const Function& k = module.functions[1];
  EXPECT_EQ(k.body[0].operands[3].symbol, (SymbolRef{SymbolKind::call_prototype, 0}));
  EXPECT_EQ(k.body[1].operands[3].symbol, (SymbolRef{SymbolKind::call_targets, 0}));
  EXPECT_EQ(k.prototypes[0].parameters.size(), 1u);
  EXPECT_TRUE(k.prototypes[0].noReturn);
  EXPECT_EQ(k.callTargets[0].entries, std::vector<u32>{0});
}

TEST(Instructions, KeepTextGuardAndSourceLine) {
  const Module module = parseModule(
      ".file 3 \"/src/a.cu\"\n.entry k() { .reg .pred %p; .reg .u32 x;\n.loc 3 17 5\n  @!%p add.u32\tx, x, // why\n 1 ;\n"
      ".loc 3 4 1, function_name $L_info+12, inlined_at 3 20 2\nexit; }");
  const Instruction& add = module.functions[0].body[0];
  EXPECT_EQ(add.text, "@!%p add.u32 x, x, 1 ;");
  EXPECT_TRUE(add.guard.negated);
  EXPECT_EQ(add.guard.reg, 0u);
  EXPECT_EQ(add.sourceFile, 3u);
  EXPECT_EQ(add.sourceLine, 17u);
  EXPECT_EQ(add.line, kPreambleLines + 4);
  EXPECT_EQ(add.column, 3u);
  EXPECT_EQ(module.functions[0].body[1].sourceLine, 4u);
  EXPECT_EQ(module.functions[0].body[1].guard.reg, kNoIndex);
  EXPECT_EQ(module.files.at(3), "/src/a.cu");
}

struct BadFunction {
  const char* text;
  u32 line, column;  // line counted from the end of the preamble
  const char* part;
};
class FunctionErrors : public ::testing::TestWithParam<BadFunction> {};
TEST_P(FunctionErrors, SayWhereAndWhy) {
  const Error error = errorOf(std::string(kPreamble) + GetParam().text);
  EXPECT_EQ(error.where().line, GetParam().line + kPreambleLines) << error.what();
  EXPECT_EQ(error.where().column, GetParam().column) << error.what();
  EXPECT_TRUE(contains(error.message(), GetParam().part)) << error.what();
}
INSTANTIATE_TEST_SUITE_P(
    All, FunctionErrors,
    ::testing::Values(
        BadFunction{".entry k() { bra nowhere; }", 1, 18, "'nowhere' is not declared"},
        BadFunction{".entry k() {\n a:\n a: }", 3, 2, "twice"}, BadFunction{".entry k() { .reg .u32 x; .reg .u32 x; }", 1, 37, "twice"},
        BadFunction{".entry k() { ret;", 1, 12, "no closing '}'"}, BadFunction{".entry k() { } .entry k() { }", 1, 23, "defined twice"},
        BadFunction{".func f(); .entry k() { call f, (1); }", 1, 33, "0 parameter(s)"},
        BadFunction{".entry k() { call f; }", 1, 19, "not declared"}, BadFunction{".entry k() { call k; }", 1, 19, "kernel"},
        BadFunction{".func f(.param .b32 a); .entry k() { .param .b64 p; call f, (p); }", 1, 62, "8 bytes where the callee has 4"},
        BadFunction{".func f(.param .b32 a); .entry k() { .reg .f64 d; call f, (d); }", 1, 60, "does not fit"},
        BadFunction{".entry k() { .reg .b64 d; call d, (1); }", 1, 32, "prototype"},
        BadFunction{".entry k() { .reg .b64 d; call d, (1), L; L: ret; }", 1, 40, "another kind"},
        BadFunction{".entry k(.reg .u32 a) { }", 1, 8, "space .param"},
        BadFunction{".entry k(.global .u32 a) { }", 1, 10, ".param or .reg"},
        BadFunction{".entry k(.param .u32 a, .param .u32 a) { }", 1, 37, "twice"},
        BadFunction{".entry k() .maxntid 0 { }", 1, 21, "from 1"}, BadFunction{".entry k() .maxntid 4294967296 { }", 1, 21, "from 1"},
        BadFunction{".entry k() .frobnicate { }", 1, 12, "not supported"},
        BadFunction{".entry k() { .reg .u32 r<1073741825>; }", 1, 26, "register count"},
        BadFunction{".entry k() { .reg .u32 r<-1>; }", 1, 26, "number of registers"},
        BadFunction{".entry k() { .reg .v2 .u32 r; }", 1, 14, "vector registers"},
        BadFunction{".entry k() { .global .u32 r; }", 1, 14, "inside a function"},
        BadFunction{".entry k() { .shared .u32 r = 4; }", 1, 29, "no initial value"},
        BadFunction{".entry k() { ret }", 1, 18, "expected ';'"}, BadFunction{".entry k() { .loc 1 2; }", 1, 22, "expected a constant"},
        BadFunction{".entry k() { x: .callprototype _ () }", 1, 37, "expected ';'"},
        BadFunction{".entry k() { 5; }", 1, 14, "expected an instruction"},
        BadFunction{".entry k() { .branchtargets a; }", 1, 14, "label before"}));

TEST(Functions, DeepNestingIsRefused) {
  const Error error = errorOf(std::string(kPreamble) + ".entry k() " + std::string(100000, '{'));
  EXPECT_TRUE(contains(error.message(), "nested"));
}

}  // namespace
}  // namespace warpwright::ptx
