#include "mechanisms/assist_warps/routine.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "compiler/analysis/function_notes.hpp"
#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr const char* kCode = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry one() { ret; }
.visible .entry other() { ret; }
.visible .func (.param .b32 zeros) counts(.param .b32 bytes, .param .b64 address, .param .b32 stored)
.pragma "assist on=store in=bytes,address,value out=count";
{
  .reg .u32 %r<3>;
  ld.param.b32 %r0, [bytes];
  ld.param.b32 %r1, [stored];
  add.u32 %r2, %r0, %r1;
  st.param.b32 [zeros], %r2;
  ret;
}
.visible .func ofOne()
.pragma "assist on=timer:9 kernel=one";
{
  ret;
}
.visible .func plain() .pragma "nounroll"; { ret; }
)";

isa::Program compile(const std::string& code) {
  compiler::Options options;
  options.analyses = {&compiler::kFunctionNotes};
  return compiler::compile(ptx::parse(code, "routines.ptx"), options);
}

// Arguments lie in R4 and what follows, each at its own alignment.
TEST(Routine, HasItsArgumentsAndResultsInRegisters) {
  const isa::Program program = compile(kCode);
  const Routines routines = routinesFor(program, *program.findFunction("other"), "");
  ASSERT_EQ(routines.all.size(), 1u);
  const Routine& counts = routines.all[0];
  EXPECT_EQ(counts.function->name, "counts");
  ASSERT_EQ(counts.arguments.size(), 3u);
  EXPECT_EQ(counts.arguments[0].first, 4u);
  EXPECT_EQ(counts.arguments[1].first, 6u);
  EXPECT_EQ(counts.arguments[1].count, 2u);
  EXPECT_EQ(counts.arguments[2].first, 8u);
  ASSERT_EQ(counts.results.size(), 1u);
  EXPECT_EQ(counts.results[0].first, 4u);
  EXPECT_EQ(routines.words, 5u);
  EXPECT_EQ(routines.registers, counts.function->registers);
}

TEST(Routine, HasRegistersBehindThoseOfTheOnesBeforeIt) {
  const isa::Program program = compile(kCode);
  const Routines routines = routinesFor(program, *program.findFunction("one"), "");
  ASSERT_EQ(routines.all.size(), 2u);
  EXPECT_TRUE(routines.all[1].hasTimer);
  EXPECT_EQ(routines.all[1].place, routines.all[0].function->registers);
  EXPECT_EQ(routines.registers, routines.all[0].function->registers + routines.all[1].function->registers);
}

// Of a group all have the same; what lies behind begins at a multiple of 16.
TEST(Routine, HasItsBufferAndTableBehindThoseOfTheOnesBeforeIt) {
  const auto routine = [](const std::string& name, const std::string& says) {
    return ".visible .func " + name + "(.param .b32 memory) .pragma \"assist " + says + "\"; { ret; }\n";
  };
  const isa::Program program =
      compile(std::string(kCode) + routine("a", "on=load in=buffer buffer=20 group=first") +
              routine("b", "on=store in=table table=100 group=first kernel=one") +
              routine("c", "on=request in=buffer buffer=64 group=second") + routine("d", "on=idle in=table table=16 group=third"));
  const Routines routines = routinesFor(program, *program.findFunction("one"), "a,b,c,d");
  ASSERT_EQ(routines.all.size(), 4u);
  EXPECT_EQ(routines.tableBytes, 112u + 16);
  EXPECT_EQ(routines.bufferBytes, 32u + 64);
  EXPECT_EQ(routines.scratchBytes, 32u) << "the other is of who asks for the routine";
  EXPECT_EQ(routines.all[0].tablePlace, routines.all[1].tablePlace);
  EXPECT_EQ(routines.all[2].bufferPlace, 32u);
  EXPECT_EQ(routines.all[3].tablePlace, 112u);
}

TEST(Routine, KnowsTheUnitsThatItUses) {
  const isa::Program program = compile(kCode);
  const Routines routines = routinesFor(program, *program.findFunction("other"), "");
  EXPECT_TRUE(routines.all[0].units.contains(static_cast<u32>(isa::Unit::integer)));
  EXPECT_FALSE(routines.all[0].units.contains(static_cast<u32>(isa::Unit::sfu)));
}

TEST(Routine, MayBeDisabled) {
  const isa::Program program = compile(kCode);
  const isa::Function& kernel = *program.findFunction("one");
  EXPECT_EQ(routinesFor(program, kernel, "ofOne").all.size(), 1u);
  EXPECT_EQ(routinesFor(program, kernel, "ofOne,counts").all.size(), 2u);
  EXPECT_EQ(routinesFor(program, kernel, "ofO").all.size(), 0u);
}

TEST(Routine, FitsInTheStore) {
  const isa::Program program = compile(kCode);
  EXPECT_NO_THROW(checkRoutines(program, "", {.instructions = 256, .triggers = 2}));
  EXPECT_THROW(checkRoutines(program, "", {.instructions = 2, .triggers = 2}), Error);
  EXPECT_THROW(checkRoutines(program, "", {.instructions = 256, .triggers = 1}), Error) << "in the controller's map";
  EXPECT_NO_THROW(checkRoutines(program, "counts", {.instructions = 256, .triggers = 1}));
}

TEST(Routine, IsNamedAsItIsWritten) {
  const isa::Program program = compile(kCode);
  EXPECT_NO_THROW(requireNames(program, {"counts", "ofOne"}));
  try {
    requireNames(program, {"count"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'counts'?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace warpwright::mechanisms::assist_warps
