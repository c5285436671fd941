"""Video instructions (PTX ISA, Video Instructions): parts of words, saturation, merging and accumulation; and what a cluster of one
block, a cache policy and a 128-bit register are worth."""
from . import values
from .case import Case
from .integer import file_name
from .values import columns

SIGNS = [("u32", "u32", "u32"), ("s32", "s32", "s32"), ("u32", "s32", "u32"), ("s32", "u32", "s32")]


def part(word, selector, signed):
    """The number that a selected part of a word is."""
    width = {"": 32, "b": 8, "h": 16}[selector[:1]]
    index = int(selector[1:] or "0")
    bits = word >> width * index & (1 << width) - 1
    return values.signed_value(bits, width) if signed else bits


def merged(word, value, selector):
    width = {"b": 8, "h": 16}[selector[0]]
    mask = (1 << width) - 1 << width * int(selector[1])
    return word & ~mask | value << width * int(selector[1]) & mask


def limited(value, width, signed):
    return values.clamp(value, -(1 << width - 1) if signed else 0, (1 << width - 1) - 1 if signed else (1 << width) - 1)


def average(a, b):
    """Half the sum; a half is rounded away from zero."""
    return a + b + (a + b >= 0) >> 1


OPERATIONS = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
}
SECOND = {"add": lambda x, c: x + c, "min": min, "max": max}


def dotted(selector):
    return "." + selector if selector else ""


def scalar():
    rng = values.generator("video")
    for name, function in OPERATIONS.items():
        for d, a, b in SIGNS:
            for saturated in (False, True):
                select_a, select_b = rng.choice(["", "b0", "b3", "h1"]), rng.choice(["", "b2", "h0"])
                rows = values.integer_tuples(f"{name} {d}{a}{b}", 32, 3, 32)
                exact = [function(part(x, select_a, a == "s32"), part(y, select_b, b == "s32")) for x, y, _ in rows]
                words = [limited(v, 32, d == "s32") if saturated else v for v in exact]
                stem = f"{name}.{d}.{a}.{b}" + (".sat" if saturated else "")
                sources = f"%x0{dotted(select_a)}, %x1{dotted(select_b)}"
                inputs = [("b32", c) for c in columns(rows)]
                yield Case(file_name(stem), stem, f"{stem} %y0, {sources};", inputs, [("b32", words)])
                second = rng.choice(list(SECOND))
                results = []
                for value, (_, _, c) in zip(words, rows):
                    x, y = (part(w, "", d == "s32") for w in (value & 0xffffffff, c))
                    results.append(SECOND[second](x, y))
                yield Case(file_name(f"{stem}.{second}"), f"{stem}.{second}", f"{stem}.{second} %y0, {sources}, %x2;", inputs, [("b32", results)])
                to = rng.choice(["b1", "b2", "h0", "h1"])
                width = 8 if to[0] == "b" else 16
                values_ = [limited(v, width, d == "s32") if saturated else v for v in exact]
                yield Case(file_name(f"{stem} into {to}").replace(" ", "-"), f"{stem} into {to}", f"{stem} %y0.{to}, {sources}, %x2;", inputs,
                           [("b32", [merged(c, v, to) for v, (_, _, c) in zip(values_, rows)])])


def shifts():
    for name in ("vshl", "vshr"):
        for a in ("u32", "s32"):
            for mode in ("clamp", "wrap"):
                form = f"{name}.{a}.{a}.u32.{mode}"
                rows = [(x, y % 70) for x, y in values.integer_tuples(form, 32, 2, 48)]
                results = []
                for x, y in rows:
                    amount = min(y, 32) if mode == "clamp" else y % 32
                    value = part(x, "", a == "s32")
                    results.append(value << amount if name == "vshl" else value >> amount)
                yield Case(file_name(form), form, f"{form} %y0, %x0, %x1;", [("b32", c) for c in columns(rows)], [("b32", results)])


def comparisons():
    for relation, function in (("eq", int.__eq__), ("ne", int.__ne__), ("lt", int.__lt__), ("le", int.__le__), ("gt", int.__gt__),
                               ("ge", int.__ge__)):
        for a, b in (("u32", "u32"), ("s32", "s32"), ("u32", "s32")):
            form = f"vset.{a}.{b}.{relation}"
            rows = values.integer_tuples(form, 32, 2, 32)
            results = [int(function(part(x, "b1", a == "s32"), part(y, "b1", b == "s32"))) for x, y in rows]
            yield Case(file_name(form), form, f"{form} %y0, %x0.b1, %x1.b1;", [("b32", c) for c in columns(rows)], [("b32", results)])


RELATIONS = {"eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__}


def comparisons_with_a_second_operation():
    for relation, function in RELATIONS.items():
        for second, combine in SECOND.items():
            form = f"vset.s32.s32.{relation}.{second}"
            rows = values.integer_tuples(form, 32, 3, 24)
            results = [combine(int(function(part(x, "h0", True), part(y, "h1", True))), c) for x, y, c in rows]
            yield Case(file_name(form), form, f"{form} %y0, %x0.h0, %x1.h1, %x2;", [("b32", c) for c in columns(rows)], [("b32", results)])


def packed_comparisons():
    for lanes, kind in ((2, "h"), (4, "b")):
        for t in ("u32", "s32"):
            for relation, function in RELATIONS.items():
                for accumulated in (False, True):
                    form = f"vset{lanes}.{t}.{t}.{relation}" + (".add" if accumulated else "")
                    rows = values.integer_tuples(form, 32, 3, 24)
                    results = []
                    for x, y, c in rows:
                        word, total = 0, c
                        for lane in range(lanes):
                            selector = kind + str(lane)
                            holds = int(function(part(x, selector, t == "s32"), part(y, selector, t == "s32")))
                            word, total = merged(word, holds, selector), total + holds
                        results.append(total if accumulated else word)
                    yield Case(file_name(form), form, f"{form} %y0, %x0, %x1, %x2;", [("b32", c) for c in columns(rows)], [("b32", results)])


def products():
    for a, b in (("u32", "u32"), ("s32", "s32"), ("u32", "s32")):
        signed = "s32" in (a, b)
        d = "s32" if signed else "u32"
        for scale in (0, 7, 15):
            for saturated in (False, True):
                form = f"vmad.{d}.{a}.{b}" + (".sat" if saturated else "") + (f".shr{scale}" if scale else "")
                rows = values.integer_tuples(form, 32, 3, 32)
                results = []
                for x, y, c in rows:
                    value = part(x, "h1", a == "s32") * part(y, "h0", b == "s32") + part(c, "", signed) >> scale
                    results.append(limited(value, 32, signed) if saturated else value)
                yield Case(file_name(form), form, f"{form} %y0, %x0.h1, %x1.h0, %x2;", [("b32", c) for c in columns(rows)],
                           [("b32", results)])


def packed():
    for lanes, kind in ((2, "h"), (4, "b")):
        width = 32 // lanes
        for name, function in (*OPERATIONS.items(), ("vavrg", average)):
            for d, a, b in SIGNS[:2]:
                for saturated in (False, True):
                    for accumulated in (False, True):
                        form = f"{name}{lanes}.{d}.{a}.{b}" + (".sat" if saturated else "") + (".add" if accumulated else "")
                        if accumulated and saturated:
                            continue
                        rows = values.integer_tuples(form, 32, 3, 24)
                        results = []
                        for x, y, c in rows:
                            word, total = 0, c
                            for lane in range(lanes):
                                selector = kind + str(lane)
                                value = function(part(x, selector, a == "s32"), part(y, selector, b == "s32"))
                                value = limited(value, width, d == "s32") if saturated else value
                                word, total = merged(word, value, selector), total + value
                            results.append(total if accumulated else word)
                        yield Case(file_name(form), form, f"{form} %y0, %x0, %x1, %x2;", [("b32", c) for c in columns(rows)],
                                   [("b32", results)])
    rows = values.integer_tuples("vadd2 selected", 32, 3, 24)
    results = []
    for x, y, c in rows:
        high = part(y, "h1", False) + part(x, "h1", False)  # a.h3 is the upper half of b, b.h1 that of a
        results.append(merged(c, high, "h1"))
    yield Case("vadd2-selected", "vadd2.u32.u32.u32 with selectors and a mask", "vadd2.u32.u32.u32 %y0.h1, %x0.h30, %x1.h12, %x2;",
               [("b32", c) for c in columns(rows)], [("b32", results)])


def clusters():
    where = {"version": "8.0", "target": "sm_90", "threads": 64}
    registers = {"%clusterid.x": 0, "%nclusterid.x": 1, "%cluster_ctaid.x": 0, "%cluster_nctaid.x": 1, "%cluster_ctarank": 0,
                 "%cluster_nctarank": 1}
    for name, value in registers.items():
        yield Case("sreg-" + name[1:].replace(".", "-").replace("_", "-"), name, f"mov.u32 %y0, {name};", [], [("u32", [value] * 64)], **where)
    yield Case("barrier-cluster", "barrier.cluster.arrive, .wait between writing and reading shared memory", """
        mov.u32 %a, %tid.x;
        shl.b32 %b, %a, 2;
        mov.u32 %s, tile;
        add.u32 %b, %s, %b;
        st.shared.u32 [%b], %a;
        barrier.cluster.arrive.release.aligned;
        barrier.cluster.wait.acquire.aligned;
        xor.b32 %a, %a, 63;
        shl.b32 %b, %a, 2;
        add.u32 %b, %s, %b;
        mapa.shared::cluster.u32 %b, %b, 0;
        ld.shared::cluster.u32 %y0, [%b];""", [], [("u32", [63 - i for i in range(64)])], ".reg .b32 %a, %b, %s;", ".shared .u32 tile[64];",
               **where)
    yield Case("getctarank", "getctarank.shared::cluster: a cluster of one block", """
        mov.u32 %s, tile;
        getctarank.shared::cluster.u32 %y0, %s;""", [], [("u32", [0] * 64)], ".reg .b32 %s;", ".shared .u32 tile[64];", **where)
    yield Case("elect-sync", "elect.sync: one lane of the warp, which all are told", """
        activemask.b32 %m;
        elect.sync %r|%p0, %m;
        vote.sync.ballot.b32 %b, %p0, %m;
        popc.b32 %y0, %b;
        mov.u32 %l, %laneid;
        setp.eq.u32 %q0, %l, %r;
        xor.pred %q0, %q0, %p0;
        selp.b32 %y1, 1, 0, %q0;""", [], [("u32", [1] * 64), ("u32", [0] * 64)], ".reg .b32 %m, %r, %b, %l;\n.reg .pred %p0, %q0;", warp=32, **where)
    yield Case("griddepcontrol", "griddepcontrol.launch_dependents, .wait", "griddepcontrol.wait;\nmov.u32 %y0, 7;\ngriddepcontrol.launch_dependents;",
               [], [("u32", [7] * 64)], **where)


def policies():
    rows = values.integers("policies", 32, 32)
    yield Case("ld-st-cache-hint", "createpolicy; ld, st, atom with .L2::cache_hint", """
        createpolicy.fractional.L2::evict_last.b64 %c, 0f3F000000;
        mad.wide.u32 %a, %i, 4, %in;
        mad.wide.u32 %b, %i, 4, %out;
        ld.global.L2::cache_hint.u32 %v, [%a], %c;
        st.global.L2::cache_hint.u32 [%b], %v, %c;
        atom.global.add.L2::cache_hint.u32 %v, [%b], 1, %c;""", [("u32", rows)], [("u32", [value + 1 for value in rows])],
               ".reg .b64 %a, %b, %c;\n.reg .b32 %v;", version="8.0", target="sm_90", raw=True)


def hints():
    """Every way to make a policy; discard and applypriority leave other lines alone."""
    rows = values.integers("hints", 32, 32)
    policies_ = [f"createpolicy.fractional.L2::{first}{second}.b64 %c{fraction};"
                 for first in ("evict_last", "evict_normal", "evict_first", "evict_unchanged")
                 for second in ("", ".L2::evict_first", ".L2::evict_unchanged")
                 for fraction in (", 0f3F000000", "")]
    policies_ += ["createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %c, [%a], 64, 128;",
                  "createpolicy.range.L2::evict_last.b64 %c, [%a], 64, 128;"]
    body = "\n".join(["mad.wide.u32 %a, %i, 4, %in;", "mad.wide.u32 %b, %i, 4, %out;", "mov.b32 %s, 0;"]
                     + [f"{policy}\nld.global.L2::cache_hint.u32 %v, [%a], %c;\nxor.b32 %s, %s, %v;" for policy in policies_ + policies_[:1]]
                     + ["st.global.L2::cache_hint.u32 [%b], %s, %c;", "applypriority.global.L2::evict_normal [%in], 128;",
                        "prefetch.global.L2::evict_last [%in];", "prefetch.global.L2::evict_normal [%in];"])
    expected = rows if len(policies_) % 2 == 0 else [0] * 32
    yield Case("createpolicy", "createpolicy.fractional, .range; applypriority", body, [("u32", rows)], [("u32", expected)],
               ".reg .b64 %a, %b, %c;\n.reg .b32 %v, %s;", version="8.0", target="sm_90", raw=True)
    yield Case("discard", "discard.global.L2", """
        setp.ne.u32 %k, %t, 0;
        @!%k discard.global.L2 [%out+128], 128;
        mad.wide.u32 %b, %t, 4, %out;
        mov.u32 %v, 9;
        st.global.u32 [%b], %v;""", [], [("u32", [9] * 32), ("u32", ["*"] * 32)], ".reg .b64 %b;\n.reg .b32 %v;\n.reg .pred %k;",
               version="8.0", target="sm_90", threads=32, raw=True)


def quads():
    low, high = values.integers("quad low", 64, 32), values.integers("quad high", 64, 32)[::-1]
    yield Case("mov-ld-st-b128", "mov.b128, ld.global.b128, st.global.b128", """
        mov.b128 %q, {%x0, %x1};
        mad.wide.u32 %a, %i, 16, %out;
        st.global.b128 [%a], %q;
        ld.global.b128 %r, [%a];
        mov.b128 %q, %r;
        mov.b128 {%y1, %y0}, %q;
        bar.sync 0;""", [("b64", low), ("b64", high)], [("b64", high), ("b64", low)],
               ".reg .b128 %q, %r;\n.reg .b64 %a;", version="8.3", target="sm_90", threads=32)
    words = values.integers("eight words", 32, 64)
    elements = ", ".join(f"%v{i}" for i in range(8))
    reversed_ = ", ".join(f"%v{i}" for i in range(7, -1, -1))
    yield Case("ld-st-v8-b32", "ld.global.v8.b32, st.global.v8.b32", f"""
        mad.wide.u32 %a, %i, 32, %in;
        mad.wide.u32 %b, %i, 32, %out;
        ld.global.v8.b32 {{{elements}}}, [%a];
        st.global.v8.b32 [%b], {{{reversed_}}};""", [("b32", words)],
               [("b32", [w for i in range(0, 64, 8) for w in reversed(words[i:i + 8])])], ".reg .b64 %a, %b;\n.reg .b32 %v<8>;",
               version="8.8", target="sm_100", raw=True, threads=8)


def halves_in_memory():
    """Atomic additions whose sums are exact in every order."""
    where = {"version": "8.1", "target": "sm_90"}
    one = {"f16": 0x3c00, "bf16": 0x3f80}
    thirty_two = {"f16": 0x5000, "bf16": 0x4200}
    for t in ("f16", "bf16"):
        for form, pattern, sum_ in ((f"red.global.add.noftz.{t}", one[t], thirty_two[t]),
                                    (f"red.global.add.noftz.{t}x2", one[t] << 16 | one[t], thirty_two[t] << 16 | thirty_two[t])):
            size = 32 if form.endswith("x2") else 16
            yield Case(file_name(form), form, f"""
                setp.ne.u32 %p0, %t, 0;
                @!%p0 st.global.b{size} [%out], %z;
                bar.sync 0;
                mov.b{size} %v, {pattern};
                {form} [%out], %v;""", [], [(f"b{size}", [sum_])], f".reg .pred %p0;\n.reg .b{size} %v, %z;\nmov.b{size} %z, 0;", threads=32,
                       raw=True, **where)
    for form, values_, sums in (("atom.global.add.v2.f32", [0x3f800000, 0x40000000], [0x42000000, 0x42800000]),
                                ("red.global.add.v4.f32", [0x3f800000, 0x40000000, 0x3f000000, 0x40800000],
                                 [0x42000000, 0x42800000, 0x41800000, 0x43000000])):
        count = len(values_)
        names = ", ".join(f"%v{i}" for i in range(count))
        olds = ", ".join(f"%o{i}" for i in range(count))
        moves = "\n".join(f"mov.b32 %v{i}, {bits};" for i, bits in enumerate(values_))
        destination = f"{{{olds}}}, " if form.startswith("atom") else ""
        zeros = ", ".join(["%z"] * count)
        yield Case(file_name(form), form, f"""
            mov.f32 %z, 0f00000000;
            setp.ne.u32 %p0, %t, 0;
            @!%p0 st.global.v{count}.f32 [%out], {{{zeros}}};
            bar.sync 0;
            {moves}
            {form} {destination}[%out], {{{names}}};""", [], [("f32", sums)],
                   f".reg .pred %p0;\n.reg .f32 %z, %v<4>, %o<4>;", threads=32, raw=True, **where)


def cases():
    for family in (scalar, shifts, comparisons, comparisons_with_a_second_operation, packed_comparisons, products, packed, clusters, policies,
                   hints, quads, halves_in_memory):
        yield from family()
