// PTX: clz.b32
// PTX: clz.b64
// PTX: popc.b32
// PTX: popc.b64
// PTX: brev.b32
// PTX: prmt.b32
// PTX: mul24.lo.s32
// PTX: mul24.lo.u32
// PTX: mul.hi.s32
// PTX: mul.hi.u64
// PTX: sad.s32
// PTX: sad.u32
// PTX: shf.l.clamp.b32
// PTX: shf.r.clamp.b32
// PTX: dp4a.s32.s32
// PTX: dp4a.u32.u32
// PTX: dp2a.lo.s32.s32
// PTX: dp2a.hi.u32.u32
__global__ void kernel(int* i, unsigned* u, long long* l, unsigned long long* m, char4* c, short2* s) {
  *i = __clz(*i) + __clzll(*l) + __popc(*u) + __popcll(*m) + __ffs(*i) + __ffsll(*l);
  *u = __brev(*u) + __byte_perm(*u, 3, 0x4321) + __umul24(*u, 5) + __umulhi(*u, 7) + __sad(*i, 3, *u) + __usad(*u, 3, 1);
  *m = __brevll(*m) + __umul64hi(*m, *m);
  *l = __mul64hi(*l, *l);
  *i += __mul24(*i, 9) + __mulhi(*i, 11) + mul24(*i, 3) + __hadd(*i, 2) + __rhadd(*i, 3);
  *u += __funnelshift_l(*u, 3, *i) + __funnelshift_r(*u, 3, *i) + __funnelshift_lc(*u, 3, *i) + __funnelshift_rc(*u, 3, *i);
  *i += __dp4a(*i, *i, *i) + __dp4a(c[0], c[1], *i) + __dp2a_lo(*i, *i, *i) + __dp2a_hi(s[0], c[0], *i);
  *u += __dp4a(*u, *u, *u) + __dp2a_lo(*u, *u, *u) + __dp2a_hi(*u, *u, *u);
  *i += min(*i, 3) + max(*i, 4) + abs(*i);
  *u += min(*u, 3u) + max(*u, *i);
  *l += min(*l, 3ll) + max(*l, 4ll) + llabs(*l) + abs(*l);
  __assume(*i > 0);
}
int main() { return min(3, 4) + max(1u, 2u) - 5; }
