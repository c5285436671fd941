"""Branches, predication, calls and exits (PTX ISA, Control Flow Instructions; Functions)."""
from . import values
from .case import Case
from .values import random_integer

THREADS = 64


def patterns(name, count=THREADS):
    rng = values.generator(name)
    return [random_integer(rng, 32) for _ in range(count)]


def branches():
    elements = patterns("branch")
    body = "and.b32 %v, %x0, 1;\nsetp.eq.u32 %z, %v, 1;\n@%z bra odd;\nadd.u32 %y0, %x0, 10;\nbra.uni done;\nodd:\nsub.u32 %y0, %x0, 10;\ndone:"
    yield Case("bra-divergent", "bra on a condition that differs among lanes", body, [("u32", elements)],
               [("u32", [e - 10 if e & 1 else e + 10 for e in elements])], registers=".reg .b32 %v;\n.reg .pred %z;")
    # Collatz steps: a loop with a different number of rounds for every lane and a branch inside.
    starts = [i + 1 for i in range(THREADS)]
    def collatz(n):
        steps = 0
        while n != 1:
            n, steps = (3 * n + 1 if n & 1 else n // 2), steps + 1
        return steps
    body = ("mov.u32 %v, %x0;\nmov.u32 %y0, 0;\nloop:\nsetp.eq.u32 %z, %v, 1;\n@%z bra done;\nadd.u32 %y0, %y0, 1;\nand.b32 %w, %v, 1;\n"
            "setp.ne.u32 %z, %w, 0;\n@%z bra odd;\nshr.u32 %v, %v, 1;\nbra loop;\nodd:\nmad.lo.u32 %v, %v, 3, 1;\nbra loop;\ndone:")
    yield Case("bra-loop", "loops of different lengths, with a branch inside", body, [("u32", starts)], [("u32", [collatz(n) for n in starts])],
               registers=".reg .b32 %v, %w;\n.reg .pred %z;")
    body = ("and.b32 %v, %i, 3;\nmov.u32 %y0, 99;\nsetp.eq.u32 %z, %v, 3;\n@%z bra store;\nmov.u32 %y0, %v;\nsetp.eq.u32 %z, %v, 2;\n@!%z bra store;\n"
            "add.u32 %y0, %y0, 40;\nstore:")
    yield Case("bra-unstructured", "branches into the middle of another's region", body, (),
               [("u32", [{0: 0, 1: 1, 2: 42, 3: 99}[t & 3] for t in range(THREADS)])], registers=".reg .b32 %v;\n.reg .pred %z;")


def indexed_branch():
    body = ("and.b32 %v, %x0, 3;\ntargets: .branchtargets zero, one, two, one;\nbrx.idx %v, targets;\nzero:\nmov.u32 %y0, 100;\nbra done;\n"
            "one:\nadd.u32 %y0, %v, 200;\nbra done;\ntwo:\nmov.u32 %y0, 300;\ndone:")
    elements = patterns("brx")
    yield Case("brx-idx", "brx.idx with a different target in every lane", body, [("u32", elements)],
               [("u32", [{0: 100, 1: 201, 2: 300, 3: 203}[e & 3] for e in elements])], registers=".reg .b32 %v;")
    body = ("mov.u32 %v, 2;\ntargets: .branchtargets zero, one, two;\nbrx.idx.uni %v, targets;\nzero:\nmov.u32 %y0, 1;\nbra done;\n"
            "one:\nmov.u32 %y0, 2;\nbra done;\ntwo:\nmov.u32 %y0, 3;\ndone:")
    yield Case("brx-idx-uni", "brx.idx.uni", body, (), [("u32", [3] * THREADS)], registers=".reg .b32 %v;")


def predication():
    elements = patterns("predication")
    odd = [e & 1 for e in elements]
    set_up = "and.b32 %v, %x0, 1;\nsetp.ne.u32 %z, %v, 0;\nmov.u32 %y0, 7;\nmov.u32 %y1, 7;\n"
    body = set_up + "@%z add.u32 %y0, %x0, 5;\n@!%z mul.lo.u32 %y1, %x0, 3;"
    yield Case("predicated-arithmetic", "@p and @!p on arithmetic", body, [("u32", elements)],
               [("u32", [e + 5 if o else 7 for e, o in zip(elements, odd)]), ("u32", [7 if o else 3 * e for e, o in zip(elements, odd)])],
               registers=".reg .b32 %v;\n.reg .pred %z;")
    body = ("and.b32 %v, %x0, 1;\nsetp.ne.u32 %z, %v, 0;\nmov.u32 %w, 7;\nmad.wide.u32 %p, %i, 4, %in;\n@%z ld.global.u32 %w, [%p];\n"
            "mad.wide.u32 %p, %i, 4, %out;\nst.global.u32 [%p], %w;\nadd.u32 %w, %w, 1;\n@!%z st.global.u32 [%p], %w;\nmov.u32 %y0, %w;\n"
            "ld.global.u32 %y0, [%p];")
    yield Case("predicated-memory", "@p on ld and st", body, [("u32", elements)], [("u32", [e if o else 8 for e, o in zip(elements, odd)])],
               registers=".reg .b32 %v, %w;\n.reg .pred %z;")
    body = set_up + "setp.gt.u32 %w, %x0, 1000;\n@%z setp.lt.u32 %w, %x0, 1000;\nselp.u32 %y0, 1, 0, %w;"
    yield Case("predicated-setp", "@p on setp keeps the predicate of the other lanes", body, [("u32", elements)],
               [("u32", [int(e < 1000 if o else e > 1000) for e, o in zip(elements, odd)]), ("u32", [7] * THREADS)],
               registers=".reg .b32 %v;\n.reg .pred %z, %w;")


def exits():
    elements = patterns("exit")
    for form in ("exit", "ret"):
        body = (f"mad.wide.u32 %p, %i, 4, %in;\nld.global.u32 %v, [%p];\nmad.wide.u32 %p, %i, 4, %out;\nst.global.u32 [%p], %v;\n"
                f"and.b32 %w, %v, 1;\nsetp.ne.u32 %z, %w, 0;\n@%z {form};\nadd.u32 %v, %v, 1;\nst.global.u32 [%p], %v;")
        yield Case(f"{form}-divergent", f"{form} by some lanes of a warp", body, [("u32", elements)],
                   [("u32", [e if e & 1 else e + 1 for e in elements])], registers=".reg .b32 %v, %w;\n.reg .pred %z;", raw=True)
    # Warps that have left no longer count at a barrier.
    body = ("mov.u32 %y0, 1;\nmad.wide.u32 %p, %i, 4, %out;\nst.global.u32 [%p], %y0;\nsetp.ge.u32 %z, %t, 32;\n@%z exit;\nbar.sync 0;\n"
            "mov.u32 %y0, 2;\nst.global.u32 [%p], %y0;")
    yield Case("exit-before-barrier", "bar.sync after other warps have left", body, (), [("u32", [2] * 32 + [1] * 32)],
               registers=".reg .b32 %y0;\n.reg .pred %z;", raw=True, threads=64)
    body = "mov.u32 %y0, 3;\nnanosleep.u32 20;\nmov.u32 %v, 40;\nnanosleep.u32 %v;\npmevent 1;"
    yield Case("nanosleep", "nanosleep.u32, pmevent", body, (), [("u32", [3] * 32)], registers=".reg .b32 %v;")


ADD_FUNCTION = """.func (.param .b32 result) addUp(.param .b32 a, .param .b32 b)
{
.reg .b32 %r<3>;
ld.param.u32 %r0, [a];
ld.param.u32 %r1, [b];
add.u32 %r2, %r0, %r1;
st.param.b32 [result], %r2;
ret;
}"""

CALL_ADD = """{
.param .b32 first;
.param .b32 second;
.param .b32 back;
st.param.b32 [first], %x0;
st.param.b32 [second], %x1;
call.uni (back), addUp, (first, second);
ld.param.b32 %y0, [back];
}"""


def direct_calls():
    a, b = patterns("call a"), patterns("call b")
    ins = [("u32", a), ("u32", b)]
    sums = [("u32", [x + y for x, y in zip(a, b)])]
    yield Case("call-direct", "call.uni (result), function, (arguments)", CALL_ADD, ins, sums, module=ADD_FUNCTION)
    yield Case("call-declared-first", "call of a function that is declared first and defined after its caller", CALL_ADD, ins, sums,
               module=".func (.param .b32 result) addUp(.param .b32 a, .param .b32 b);\n" + ADD_FUNCTION)
    body = "and.b32 %v, %x0, 1;\nsetp.ne.u32 %z, %v, 0;\nmov.u32 %y0, 0;\n@%z bra done;\n" + CALL_ADD.replace("call.uni", "call") + "\ndone:"
    yield Case("call-divergent", "call by some lanes of a warp", body, ins, [("u32", [0 if x & 1 else x + y for x, y in zip(a, b)])],
               registers=".reg .b32 %v;\n.reg .pred %z;", module=ADD_FUNCTION)
    registers = """.func (.reg .b32 %result) addRegisters(.reg .b32 %a, .reg .b32 %b)
{
add.u32 %result, %a, %b;
ret;
}"""
    yield Case("call-register-parameters", "call with parameters in registers", "call (%y0), addRegisters, (%x0, %x1);", ins, sums,
               module=registers, assembles=True)
    swap = """.func (.param .align 8 .b8 result[16]) swapPair(.param .align 8 .b8 pair[16])
{
.reg .b64 %d<2>;
ld.param.v2.b64 {%d0, %d1}, [pair];
st.param.b64 [result], %d1;
st.param.b64 [result+8], %d0;
ret;
}"""
    body = """{
.param .align 8 .b8 pair[16];
.param .align 8 .b8 back[16];
st.param.b64 [pair], %x0;
st.param.b64 [pair+8], %x1;
call.uni (back), swapPair, (pair);
ld.param.b64 %y0, [back];
ld.param.b64 %y1, [back+8];
}"""
    wide_a, wide_b = [3 * x + (x << 32) for x in a], [5 * x + (x << 31) for x in b]
    yield Case("call-aggregate", "call with byte-array parameters", body, [("u64", wide_a), ("u64", wide_b)], [("u64", wide_b), ("u64", wide_a)],
               module=swap.replace("ld.param.v2.b64 {%d0, %d1}, [pair];", "ld.param.b64 %d0, [pair];\nld.param.b64 %d1, [pair+8];"))
    nothing = """.func storeAt(.param .b64 address, .param .b32 value)
{
.reg .b64 %a;
.reg .b32 %v;
ld.param.u64 %a, [address];
ld.param.u32 %v, [value];
setp.eq.u32 %z, %v, 0;
@%z ret;
st.u32 [%a], %v;
ret;
}""".replace(".reg .b32 %v;", ".reg .b32 %v;\n.reg .pred %z;")
    body = """mad.wide.u32 %p, %i, 4, %in;
ld.global.u32 %v, [%p];
mad.wide.u32 %p, %i, 4, %out;
st.global.u32 [%p], 5;
cvta.global.u64 %p, %p;
{
.param .b64 first;
.param .b32 second;
st.param.b64 [first], %p;
st.param.b32 [second], %v;
call storeAt, (first, second);
}"""
    chosen = [x if i % 3 else 0 for i, x in enumerate(a)]
    yield Case("call-no-result", "call without result, with an early ret in some lanes", body, [("u32", chosen)], [("u32", [x or 5 for x in chosen])],
               registers=".reg .b32 %v;", module=nothing, raw=True)


def parameter_types():
    """Every type as argument and result of a function; the callee hands its argument back."""
    for t in ("b8", "b32", "f32", "b64", "f64"):
        register = "b16" if t == "b8" else t
        width = int(t[1:])
        elements = [e & ((1 << width) - 1) for e in (patterns("argument " + t) if width <= 32 else [x << 32 | x >> 3 for x in patterns("wide")])]
        function = f""".func (.param .{t} result) same(.param .{t} a)
{{
.reg .{register} %r;
ld.param.{t} %r, [a];
st.param.{t} [result], %r;
ret;
}}"""
        body = f"{{\n.param .{t} first;\n.param .{t} back;\nst.param.{t} [first], %x0;\ncall (back), same, (first);\nld.param.{t} %y0, [back];\n}}"
        yield Case(f"call-parameter-{t}", f"st.param.{t}, ld.param.{t} around a call", body, [(t, elements)], [(t, elements)], module=function)


OPERATIONS = """.func (.param .b32 result) addUp(.param .b32 a, .param .b32 b)
{
.reg .b32 %r<3>;
ld.param.u32 %r0, [a];
ld.param.u32 %r1, [b];
add.u32 %r2, %r0, %r1;
st.param.b32 [result], %r2;
ret;
}
.func (.param .b32 result) multiply(.param .b32 a, .param .b32 b)
{
.reg .b32 %r<3>;
ld.param.u32 %r0, [a];
ld.param.u32 %r1, [b];
mul.lo.u32 %r2, %r0, %r1;
st.param.b32 [result], %r2;
ret;
}"""


def indirect_calls():
    a, b = patterns("indirect a"), patterns("indirect b")
    ins = [("u32", a), ("u32", b)]
    expected = [x * y if t & 1 else x + y for t, (x, y) in enumerate(zip(a, b))]
    def body(declaration, label):
        return f"""and.b32 %v, %i, 1;
setp.ne.u32 %z, %v, 0;
mov.u64 %f, addUp;
mov.u64 %g, multiply;
selp.b64 %f, %g, %f, %z;
{{
.param .b32 first;
.param .b32 second;
.param .b32 back;
st.param.b32 [first], %x0;
st.param.b32 [second], %x1;
{declaration}
call (back), %f, (first, second), {label};
ld.param.b32 %y0, [back];
}}"""
    registers = ".reg .b32 %v;\n.reg .b64 %f, %g;\n.reg .pred %z;"
    yield Case("call-prototype", "indirect call with .callprototype, two targets in one warp",
               body("prototype: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);", "prototype"), ins, [("u32", expected)],
               registers=registers, module=OPERATIONS)
    yield Case("call-targets", "indirect call with .calltargets, two targets in one warp", body("choice: .calltargets addUp, multiply;", "choice"),
               ins, [("u32", expected)], registers=registers, module=OPERATIONS)
    table = OPERATIONS + "\n.global .align 8 .u64 table[2] = {addUp, multiply};"
    load = body("prototype: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);", "prototype")
    load = load.replace("mov.u64 %f, addUp;\nmov.u64 %g, multiply;\nselp.b64 %f, %g, %f, %z;",
                        "mov.u64 %g, table;\nmad.wide.u32 %g, %v, 8, %g;\nld.global.u64 %f, [%g];")
    yield Case("call-table", "indirect call through a table of function addresses", load, ins, [("u32", expected)], registers=registers,
               module=table)


def recursion():
    factorial = """.func (.param .b64 result) factorial(.param .b32 n)
{
.reg .b32 %n, %m;
.reg .b64 %r, %w;
.reg .pred %z;
ld.param.u32 %n, [n];
mov.u64 %r, 1;
setp.le.u32 %z, %n, 1;
@%z bra done;
sub.u32 %m, %n, 1;
{
.param .b32 less;
.param .b64 back;
st.param.b32 [less], %m;
call (back), factorial, (less);
ld.param.b64 %r, [back];
}
cvt.u64.u32 %w, %n;
mul.lo.u64 %r, %r, %w;
done:
st.param.b64 [result], %r;
ret;
}"""
    numbers = [t % 21 for t in range(32)]
    def product(n):
        return n * product(n - 1) if n > 1 else 1
    body = """{
.param .b32 n;
.param .b64 back;
st.param.b32 [n], %x0;
call (back), factorial, (n);
ld.param.b64 %y0, [back];
}"""
    yield Case("call-recursive", "recursion to a different depth in every lane", body, [("u32", numbers)], [("u64", [product(n) for n in numbers])],
               module=factorial)


def cases():
    for family in (branches, indexed_branch, predication, exits, direct_calls, parameter_types, indirect_calls, recursion):
        yield from family()
