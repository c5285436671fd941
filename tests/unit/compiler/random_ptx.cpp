#include "random_ptx.hpp"

#include <fmt/format.h>

namespace warpwright::compiler {

std::string RandomKernel::Guard::text() const { return predicate < 0 ? "" : fmt::format("@{}%p{} ", negated ? "!" : "", predicate); }

RandomKernel::RandomKernel(u32 seed) : random_(seed) {
  ptx_ = R"(.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 result) combine(.param .b32 a, .param .b32 b)
{
.reg .b32 %x<8>;
ld.param.u32 %x0, [a]; ld.param.u32 %x1, [b];
mul.lo.u32 %x2, %x0, 3; xor.b32 %x3, %x0, %x1; add.u32 %x4, %x2, %x1; sub.u32 %x5, %x4, %x3;
st.param.b32 [result], %x5;
ret;
}
.visible .entry k(.param .u64 out, .param .u64 in)
{
.local .align 16 .b8 scratch[32];
.reg .pred %p<4>; .reg .pred %q;
.reg .b32 %r<8>; .reg .b32 %c<64>; .reg .b32 %i; .reg .b32 %t<4>;
.reg .b64 %d<4>; .reg .b64 %in; .reg .b64 %out; .reg .b64 %o;
mov.u32 %i, %tid.x;
ld.param.u64 %in, [in]; mul.wide.u32 %o, %i, 32; add.s64 %in, %in, %o;
ld.param.u64 %out, [out]; mul.wide.u32 %o, %i, 64; add.s64 %out, %out, %o;
ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%in];
ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%in+16];
mov.b64 %d0, {%r0, %r1}; mov.b64 %d1, {%r2, %r3}; mov.b64 %d2, {%r4, %r5}; mov.b64 %d3, {%r6, %r7};
setp.lt.s32 %p0, %r0, 0; setp.lt.s32 %p1, %r1, 0; setp.lt.s32 %p2, %r2, 0; setp.lt.s32 %p3, %r3, 0;
st.local.v4.u32 [scratch], {%r0, %r1, %r2, %r3}; st.local.v4.u32 [scratch+16], {%r4, %r5, %r6, %r7};
)";
  statements(40, 2);
  ptx_ += R"(st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};
st.global.v4.u32 [%out+16], {%r4, %r5, %r6, %r7};
st.global.v2.u64 [%out+32], {%d0, %d1}; st.global.v2.u64 [%out+48], {%d2, %d3};
ret;
}
)";
}

std::array<u32, RandomKernel::kOutputs> RandomKernel::run(const std::array<u32, kInputs>& inputs) const {
  ModelThread thread;
  thread.r = inputs;
  thread.scratch = inputs;
  for (u32 i = 0; i < 4; ++i) {
    thread.d[i] = inputs[2 * i] | u64{inputs[2 * i + 1]} << 32;
    thread.p[i] = static_cast<s32>(inputs[i]) < 0;
  }
  for (const Step& step : steps_) step(thread);
  std::array<u32, kOutputs> outputs;
  for (u32 i = 0; i < 8; ++i) outputs[i] = thread.r[i];
  for (u32 i = 0; i < 8; ++i) outputs[8 + i] = static_cast<u32>(thread.d[i / 2] >> (32 * (i % 2)));
  return outputs;
}

RandomKernel::Guard RandomKernel::randomGuard() {
  if (below(3) != 0) return {};
  return {static_cast<s32>(below(4)), below(2) == 0};
}

void RandomKernel::add(const std::string& text, Step effect) {
  const Guard guard = randomGuard();
  ptx_ += guard.text() + text + "\n";
  steps_.push_back([guard, effect = std::move(effect)](ModelThread& thread) {
    if (guard.holds(thread)) effect(thread);
  });
}

void RandomKernel::statements(u32 count, u32 depth) {
  for (u32 i = 0; i < count; ++i) {
    switch (below(depth > 0 ? 12 : 10)) {
      case 0:
      case 1:
        arithmetic();
        break;
      case 2:
      case 3:
        wideArithmetic();
        break;
      case 4:
        conversion();
        break;
      case 5:
        comparison();
        break;
      case 6:
      case 7:
        copy();
        break;
      case 8:
        memory();
        break;
      case 9:
        call();
        break;
      case 10:
        branch(depth);
        break;
      default:
        loop(depth);
        break;
    }
  }
}

void RandomKernel::arithmetic() {
  const u32 to = below(8), a = below(8), b = below(8), shift = below(32);
  switch (below(6)) {
    case 0:
      return add(fmt::format("add.s32 %r{}, %r{}, %r{};", to, a, b), [=](ModelThread& t) { t.r[to] = t.r[a] + t.r[b]; });
    case 1:
      return add(fmt::format("sub.s32 %r{}, %r{}, {};", to, a, shift), [=](ModelThread& t) { t.r[to] = t.r[a] - shift; });
    case 2:
      return add(fmt::format("mad.lo.u32 %r{}, %r{}, %r{}, 7;", to, a, b), [=](ModelThread& t) { t.r[to] = t.r[a] * t.r[b] + 7; });
    case 3:
      return add(fmt::format("xor.b32 %r{}, %r{}, %r{};", to, a, b), [=](ModelThread& t) { t.r[to] = t.r[a] ^ t.r[b]; });
    case 4:
      return add(fmt::format("shl.b32 %r{}, %r{}, {};", to, a, shift), [=](ModelThread& t) { t.r[to] = t.r[a] << shift; });
    default:
      return add(fmt::format("shr.s32 %r{}, %r{}, {};", to, a, shift),
                 [=](ModelThread& t) { t.r[to] = static_cast<u32>(static_cast<s32>(t.r[a]) >> shift); });
  }
}

void RandomKernel::wideArithmetic() {
  const u32 to = below(4), a = below(4), b = below(4), x = below(8), y = below(8);
  switch (below(4)) {
    case 0:
      return add(fmt::format("add.s64 %d{}, %d{}, %d{};", to, a, b), [=](ModelThread& t) { t.d[to] = t.d[a] + t.d[b]; });
    case 1:
      return add(fmt::format("sub.s64 %d{}, %d{}, %d{};", to, a, b), [=](ModelThread& t) { t.d[to] = t.d[a] - t.d[b]; });
    case 2:
      return add(fmt::format("mul.wide.u32 %d{}, %r{}, %r{};", to, x, y), [=](ModelThread& t) { t.d[to] = u64{t.r[x]} * t.r[y]; });
    default:
      return add(fmt::format("mad.wide.s32 %d{}, %r{}, 12, %d{};", to, x, a),
                 [=](ModelThread& t) { t.d[to] = static_cast<u64>(s64{static_cast<s32>(t.r[x])} * 12) + t.d[a]; });
  }
}

void RandomKernel::conversion() {
  const u32 d = below(4), x = below(8), y = below(7);
  switch (below(6)) {
    case 0:
      return add(fmt::format("cvt.u32.u64 %r{}, %d{};", x, d), [=](ModelThread& t) { t.r[x] = static_cast<u32>(t.d[d]); });
    case 1:
      return add(fmt::format("cvt.u64.u32 %d{}, %r{};", d, x), [=](ModelThread& t) { t.d[d] = t.r[x]; });
    case 2:
      return add(fmt::format("cvt.s64.s32 %d{}, %r{};", d, x),
                 [=](ModelThread& t) { t.d[d] = static_cast<u64>(s64{static_cast<s32>(t.r[x])}); });
    case 3:
      return add(fmt::format("cvt.s32.s8 %r{}, %r{};", x, y),
                 [=](ModelThread& t) { t.r[x] = static_cast<u32>(s32{static_cast<s8>(t.r[y])}); });
    case 4:
      return add(fmt::format("mov.b64 {{%r{}, %r{}}}, %d{};", y, y + 1, d), [=](ModelThread& t) {
        t.r[y] = static_cast<u32>(t.d[d]);
        t.r[y + 1] = static_cast<u32>(t.d[d] >> 32);
      });
    default:
      return add(fmt::format("mov.b64 %d{}, {{%r{}, %r{}}};", d, x, y), [=](ModelThread& t) { t.d[d] = t.r[x] | u64{t.r[y]} << 32; });
  }
}

void RandomKernel::comparison() {
  const u32 p = below(4), a = below(8), b = below(8), q = below(4), to = below(8);
  switch (below(3)) {
    case 0:
      return add(fmt::format("setp.lt.s32 %p{}, %r{}, %r{};", p, a, b),
                 [=](ModelThread& t) { t.p[p] = static_cast<s32>(t.r[a]) < static_cast<s32>(t.r[b]); });
    case 1:
      return add(fmt::format("setp.ge.and.u32 %p{}, %r{}, 1000, !%p{};", p, a, q),
                 [=](ModelThread& t) { t.p[p] = t.r[a] >= 1000 && !t.p[q]; });
    default:
      return add(fmt::format("selp.b32 %r{}, %r{}, %r{}, %p{};", to, a, b, p), [=](ModelThread& t) { t.r[to] = t.p[p] ? t.r[a] : t.r[b]; });
  }
}

void RandomKernel::copy() {
  const u32 to = below(8), from = below(8), d = below(4), e = below(4);
  switch (below(4)) {
    case 0:
      return add(fmt::format("mov.u32 %r{}, %r{};", to, from), [=](ModelThread& t) { t.r[to] = t.r[from]; });
    case 1:
      return add(fmt::format("mov.u64 %d{}, %d{};", d, e), [=](ModelThread& t) { t.d[d] = t.d[e]; });
    case 2:
      return add(fmt::format("mov.u32 %r{}, {};", to, from * 1001), [=](ModelThread& t) { t.r[to] = from * 1001; });
    default:
      return add(fmt::format("mov.pred %p{}, %p{};", d, e), [=](ModelThread& t) { t.p[d] = t.p[e]; });
  }
}

void RandomKernel::memory() {
  const u32 to = below(8), slot = below(8), quad = below(2) * 4, first = below(5);
  switch (below(4)) {
    case 0:
      return add(fmt::format("st.local.u32 [scratch+{}], %r{};", 4 * slot, to), [=](ModelThread& t) { t.scratch[slot] = t.r[to]; });
    case 1:
      return add(fmt::format("ld.local.u32 %r{}, [scratch+{}];", to, 4 * slot), [=](ModelThread& t) { t.r[to] = t.scratch[slot]; });
    case 2:
      return add(fmt::format("ld.local.v4.u32 {{%r{}, %r{}, %r{}, %r{}}}, [scratch+{}];", first, first + 1, first + 2, first + 3, 4 * quad),
                 [=](ModelThread& t) {
                   for (u32 i = 0; i < 4; ++i) t.r[first + i] = t.scratch[quad + i];
                 });
    default:
      return add(fmt::format("st.local.v4.u32 [scratch+{}], {{%r{}, %r{}, %r{}, %r{}}};", 4 * quad, to, slot, to, first),
                 [=](ModelThread& t) {
                   const std::array<u32, 4> values{t.r[to], t.r[slot], t.r[to], t.r[first]};
                   for (u32 i = 0; i < 4; ++i) t.scratch[quad + i] = values[i];
                 });
  }
}

void RandomKernel::call() {
  const u32 to = below(8), a = below(8), b = below(8);
  ptx_ += fmt::format("{{ .param .b32 a{0}; .param .b32 b{0}; .param .b32 c{0}; st.param.b32 [a{0}], %r{1}; st.param.b32 [b{0}], %r{2};\n",
                      labels_, a, b);
  const Guard guard = randomGuard();
  ptx_ += fmt::format("{0}call (c{1}), combine, (a{1}, b{1});\n{0}ld.param.b32 %r{2}, [c{1}]; }}\n", guard.text(), labels_++, to);
  steps_.push_back([=](ModelThread& t) {
    if (guard.holds(t)) t.r[to] = t.r[a] * 3 + t.r[b] - (t.r[a] ^ t.r[b]);
  });
}

void RandomKernel::branch(u32 depth) {
  const u32 label = labels_++, p = below(4);
  ptx_ += fmt::format("@%p{} bra L{};\n", p, label);
  std::vector<Step> outer = std::move(steps_);
  steps_.clear();
  statements(1 + below(6), depth - 1);
  outer.push_back([p, body = std::move(steps_)](ModelThread& t) {
    if (t.p[p]) return;
    for (const Step& step : body) step(t);
  });
  steps_ = std::move(outer);
  ptx_ += fmt::format("L{}:\n", label);
}

// Runs one to four times, depending on the thread.
void RandomKernel::loop(u32 depth) {
  const u32 label = labels_++, counter = loops_++, r = below(8);
  ptx_ += fmt::format("and.b32 %c{}, %r{}, 3;\nL{}:\n", counter, r, label);
  std::vector<Step> outer = std::move(steps_);
  steps_.clear();
  statements(1 + below(6), depth - 1);
  outer.push_back([r, body = std::move(steps_)](ModelThread& t) {
    const u32 last = t.r[r] & 3;
    for (u32 i = 0; i <= last; ++i)
      for (const Step& step : body) step(t);
  });
  steps_ = std::move(outer);
  ptx_ += fmt::format("sub.s32 %c{0}, %c{0}, 1;\nsetp.ge.s32 %q, %c{0}, 0;\n@%q bra L{1};\n", counter, label);
}

}  // namespace warpwright::compiler
