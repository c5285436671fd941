#include "ptx/grammar.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "ptx/forms_document.hpp"
#include "ptx/matcher.hpp"
#include "ptx/special_register.hpp"

namespace warpwright::ptx {
namespace {

std::string contentsOf(const std::string& path) {
  std::ifstream file(std::string(WARPWRIGHT_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Grammar, EveryOpcodeHasARow) {
  for (u32 i = 0; i <= static_cast<u32>(Opcode::xor_); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_FALSE(rowsOf(opcode).empty()) << name(opcode);
    EXPECT_EQ(opcodeNamed(name(opcode)), opcode);
  }
}

TEST(Grammar, RowsHaveFewEnoughSlotsForAMask) {
  for (const Row& row : grammar()) EXPECT_LT(row.slots.size(), 64u);
}

// Forms counted over public CUDA programs, one a line.
TEST(Grammar, TakesTheFormsOfRealPrograms) {
  std::istringstream forms(contentsOf("tests/golden/ptx/real-forms.txt"));
  std::string form;
  u32 count = 0;
  for (; std::getline(forms, form); ++count) EXPECT_FALSE(matchForms(form).empty()) << form;
  EXPECT_GT(count, 400u);
}

TEST(Grammar, DocumentIsUpToDate) {
  EXPECT_EQ(contentsOf("docs/ptx-forms.md"), formsDocument()) << "renew it: warpwright-ptx-forms > docs/ptx-forms.md";
}

TEST(Grammar, RefusesWhatPtxDoesNotHave) {
  const char* const forms[] = {
      "add.b32", "add.ftz.f64", "mul.s32", "mul.wide.s64", "div.f32", "cvt.u32.f32", "cvt.rn.f32.f32", "cvt.rn.u32.f32", "setp.lt.b32",
      "setp.lo.s32", "setp.ltu.s32", "ld.global.pred", "ld.relaxed.u32", "st.const.u32", "atom.sub.u32", "red.cas.b32", "shfl.sync.b32",
      "vote.sync.ballot.pred", "sqrt.f32", "rcp.approx.f64", "fma.f32", "min.b32", "selp.pred", "add", "add..s32", "add.s32.",
      "ld.global.global.u32", "membar.gpu", "fence.gl.acq_rel", "shl.u32", "bfe.b32", "lop3.b64", "slct.f32.u32", "and.s32", "popc.u32",
      "sub.sat.u32",
      // f16 has every eighth number of columns, integers every sixteenth from 32 on; bf16 has sums of f32 alone
      "wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16", "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8",
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16",
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.f16.f16", "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.xor.popc",
      "wgmma.mma_async.m64n8k16.f32.f16.f16", "wgmma.wait_group.sync"};
  for (const char* form : forms) EXPECT_TRUE(matchForms(form).empty()) << form;
}

Modifiers modifiersOf(std::string_view form) {
  const auto matches = matchForms(form);
  EXPECT_FALSE(matches.empty()) << form;
  return matches.empty() ? Modifiers{} : matches.front().modifiers;
}

TEST(Matcher, FillsEveryField) {
  EXPECT_EQ(modifiersOf("add.rz.ftz.sat.f32").rounding, Rounding::rz);
  EXPECT_TRUE(modifiersOf("add.rz.ftz.sat.f32").ftz);
  EXPECT_TRUE(modifiersOf("add.rz.ftz.sat.f32").sat);
  EXPECT_TRUE(modifiersOf("add.cc.u32").carryOut);
  EXPECT_EQ(modifiersOf("mul.wide.s16").mul, MulMode::wide);
  EXPECT_EQ(modifiersOf("cvt.rzi.s32.f64").type, Type::s32);
  EXPECT_EQ(modifiersOf("cvt.rzi.s32.f64").source, Type::f64);
  EXPECT_EQ(modifiersOf("setp.gtu.xor.ftz.f32").compare, Compare::gtu);
  EXPECT_EQ(modifiersOf("setp.gtu.xor.ftz.f32").combine, BoolOp::xor_);
  EXPECT_EQ(modifiersOf("ld.volatile.shared.v4.u32").vector, 4);
  EXPECT_EQ(modifiersOf("ld.volatile.shared.v4.u32").ordering, Ordering::volatile_);
  EXPECT_EQ(modifiersOf("ld.volatile.shared.v4.u32").space, Space::shared);
  EXPECT_EQ(modifiersOf("ld.global.nc.f32").cache, CacheOp::nc);
  EXPECT_EQ(modifiersOf("ld.param.u8").space, Space::param);
  EXPECT_EQ(modifiersOf("atom.global.sys.cas.b32").scope, Scope::sys);
  EXPECT_EQ(modifiersOf("atom.global.sys.cas.b32").atomic, AtomicOp::cas);
  EXPECT_EQ(modifiersOf("membar.gl").scope, Scope::gpu);
  EXPECT_EQ(modifiersOf("fence.acq_rel.cta").ordering, Ordering::acq_rel);
  EXPECT_EQ(modifiersOf("shfl.sync.bfly.b32").shuffle, ShuffleMode::bfly);
  EXPECT_TRUE(modifiersOf("shfl.sync.bfly.b32").sync);
  EXPECT_FALSE(modifiersOf("shfl.bfly.b32").sync);
  EXPECT_EQ(modifiersOf("vote.sync.ballot.b32").vote, VoteMode::ballot);
  EXPECT_EQ(modifiersOf("bar.warp.sync").barrier, BarrierOp::warp_sync);
  EXPECT_EQ(modifiersOf("bar.red.or.pred").barrier, BarrierOp::red);
  EXPECT_EQ(modifiersOf("bar.red.or.pred").combine, BoolOp::or_);
  EXPECT_TRUE(modifiersOf("barrier.sync.aligned").aligned);
  EXPECT_EQ(modifiersOf("prmt.b32.rc16").prmt, PrmtMode::rc16);
  EXPECT_EQ(modifiersOf("testp.notanumber.f32").test, TestProperty::notanumber);
  EXPECT_TRUE(modifiersOf("shf.l.clamp.b32").left);
  EXPECT_TRUE(modifiersOf("shf.l.clamp.b32").clampShift);
  EXPECT_FALSE(modifiersOf("shf.r.wrap.b32").clampShift);
  EXPECT_TRUE(modifiersOf("dp2a.hi.u32.s32").high);
  EXPECT_TRUE(modifiersOf("match.any.sync.b64").anyMatch);
  EXPECT_TRUE(modifiersOf("bfind.shiftamt.u64").shiftAmount);
  EXPECT_TRUE(modifiersOf("cvta.to.global.u64").toSpace);
  EXPECT_TRUE(modifiersOf("div.full.f32").full);
  EXPECT_TRUE(modifiersOf("max.NaN.f32").nan);
  EXPECT_EQ(modifiersOf("wgmma.mma_async.sync.aligned.m64n256k32.satfinite.s32.u8.s8").matrix.n, 256);
  EXPECT_EQ(modifiersOf("wgmma.mma_async.sync.aligned.m64n256k32.satfinite.s32.u8.s8").matrix.k, 32);
  EXPECT_TRUE(modifiersOf("wgmma.mma_async.sync.aligned.m64n256k32.satfinite.s32.u8.s8").satFinite);
  EXPECT_EQ(modifiersOf("wgmma.fence.sync.aligned").async, AsyncOp::fence);
  EXPECT_EQ(modifiersOf("wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32").async, AsyncOp::multiply);
  EXPECT_EQ(modifiersOf("setmaxnreg.inc.sync.aligned.u32").atomic, AtomicOp::inc);
}

TEST(Matcher, MemoryModifiersComeInAnyOrder) {
  for (const char* form : {"atom.release.gpu.global.add.u32", "atom.add.release.gpu.global.u32", "atom.global.release.gpu.add.u32"}) {
    const Modifiers modifiers = modifiersOf(form);
    EXPECT_EQ(modifiers.ordering, Ordering::release) << form;
    EXPECT_EQ(modifiers.scope, Scope::gpu) << form;
    EXPECT_EQ(modifiers.space, Space::global) << form;
    EXPECT_EQ(modifiers.atomic, AtomicOp::add) << form;
  }
}

TEST(Matcher, NamesTheNearestForm) {
  EXPECT_EQ(nearestForm("ld.globl.u32"), "ld.global.u32");
  EXPECT_EQ(nearestForm("add.s33"), "add.s32");
  EXPECT_EQ(nearestForm("mul.s32"), "mul.lo.s32");
  EXPECT_EQ(nearestForm("shfl.dwn.b32"), "shfl.down.b32");
  EXPECT_EQ(nearestForm("movv.u32"), "mov.u32");
  EXPECT_EQ(nearestForm(std::string(100000, 'x') + ".u32"), "");
}

TEST(SpecialRegisters, AreFoundByName) {
  EXPECT_EQ(specialRegisterNamed("%tid.x"), SpecialRegister::tid_x);
  EXPECT_EQ(specialRegisterNamed("%globaltimer_hi"), SpecialRegister::globaltimer_hi);
  EXPECT_EQ(specialRegisterNamed("%envreg31"), SpecialRegister::envreg_last);
  EXPECT_EQ(specialRegisterNamed("%pm7"), SpecialRegister::pm_last);
  for (const char* name : {"%envreg32", "%envreg", "%envreg01", "%envreg-1", "%pm8", "%tid", "%tid.w", "tid.x", "%envreg99999999999"})
    EXPECT_FALSE(specialRegisterNamed(name)) << name;
  EXPECT_EQ(typeOf(SpecialRegister::clock64), Type::u64);
  EXPECT_EQ(typeOf(SpecialRegister::laneid), Type::u32);
}

}  // namespace
}  // namespace warpwright::ptx
