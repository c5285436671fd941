"""vote, match, shfl, redux, activemask and the barriers (PTX ISA, Parallel Synchronization and Communication; shfl)."""
from . import values
from .case import Case
from .integer import file_name
from .values import interpret, random_integer

WARP = 32
THREADS = 64
FULL = 0xffffffff


def patterns(name, count=THREADS, width=32):
    rng = values.generator(name)
    return [random_integer(rng, width) for _ in range(count)]


def by_warp(elements):
    return [elements[first:first + WARP] for first in range(0, len(elements), WARP)]


def shuffle_source(mode, lane, distance, clamp_operand):
    """The lane read and whether it is in range (PTX ISA, shfl): c packs a clamp value (bits 4:0) and a segment mask (bits 12:8)."""
    clamp, segment = clamp_operand & 31, clamp_operand >> 8 & 31
    maximum = (lane & segment) | (clamp & ~segment)
    minimum = lane & segment
    distance &= 31
    if mode == "up":
        source = lane - distance
        inside = source >= maximum
    elif mode == "down":
        source = lane + distance
        inside = source <= maximum
    elif mode == "bfly":
        source = lane ^ distance
        inside = source <= maximum
    else:
        source = minimum | (distance & ~segment)
        inside = source <= maximum
    return (source if inside else lane), inside


def shuffles():
    segments = {32: 0, 16: 0x10, 8: 0x18, 4: 0x1c, 2: 0x1e}
    for mode in ("up", "down", "bfly", "idx"):
        for legacy in (False, True):
            for width, segment in (segments.items() if not legacy else [(32, 0), (8, 0x18)]):
                clamp = segment << 8 | (0 if mode == "up" else 31)
                yield shuffle(mode, width, clamp, legacy)


def shuffle(mode, width, clamp, legacy):
    elements = patterns("shfl")
    distances = [(7 * i + 3) % 37 for i in range(THREADS)]
    got, inside = [], []
    for thread in range(THREADS):
        lane = thread % WARP
        source, valid = shuffle_source(mode, lane, distances[thread], clamp)
        got.append(elements[thread - lane + source])
        inside.append(int(valid))
    form = f"shfl{'' if legacy else '.sync'}.{mode}.b32"
    mask = "" if legacy else ", 0xffffffff"
    body = f"{form} %y0|%z, %x0, %x1, {clamp:#x}{mask};\nselp.u32 %y1, 1, 0, %z;"
    version = {"version": "6.0", "target": "sm_30", "assembles": False} if legacy else {}
    return Case(f"{file_name(form)}-width-{width}", f"{form} in segments of {width}", body, [("b32", elements), ("u32", distances)],
                [("b32", got), ("u32", inside)], registers=".reg .pred %z;", **version)


def partial_shuffle():
    """Half of a warp takes part; the others go round."""
    elements = patterns("shfl partial")
    got = [elements[t ^ 2] if t % 2 == 0 else 0 for t in range(THREADS)]
    body = ("mov.u32 %y0, 0;\nand.b32 %v, %i, 1;\nsetp.ne.u32 %z, %v, 0;\n@%z bra done;\n"
            "shfl.sync.bfly.b32 %y0, %x0, 2, 31, 0x55555555;\ndone:")
    yield Case("shfl-sync-partial", "shfl.sync.bfly.b32 among even lanes", body, [("b32", elements)], [("b32", got)],
               registers=".reg .b32 %v;\n.reg .pred %z;")


def votes():
    sources = [0] * 3 + [1] * 29 + [0] * 32, [1] * 64, [0] * 32 + [1] * 32
    results = {
        "all": lambda bits: int(all(bits)),
        "any": lambda bits: int(any(bits)),
        "uni": lambda bits: int(all(bits) or not any(bits)),
    }
    for legacy in (False, True):
        sync, mask = ("", "") if legacy else (".sync", ", 0xffffffff")
        version = {"version": "6.0", "target": "sm_30", "assembles": False} if legacy else {}
        for mode, function in results.items():
            for number, bits in enumerate(sources):
                form = f"vote{sync}.{mode}.pred"
                expected = [function(warp) for warp in by_warp(bits) for _ in warp]
                body = f"setp.ne.u32 %z, %x0, 0;\n{form} %z, %z{mask};\nselp.u32 %y0, 1, 0, %z;"
                yield Case(f"{file_name(form)}-{number}", form, body, [("u32", bits)], [("u32", expected)], registers=".reg .pred %z;", **version)
        bits = [p & 1 for p in patterns("ballot")]
        form = f"vote{sync}.ballot.b32"
        expected = [sum(bit << lane for lane, bit in enumerate(warp)) for warp in by_warp(bits) for _ in warp]
        yield Case(file_name(form), form, f"setp.ne.u32 %z, %x0, 0;\n{form} %y0, %z{mask};", [("u32", bits)], [("b32", expected)],
                   registers=".reg .pred %z;", **version)
    bits = [p & 1 for p in patterns("ballot negated")]
    expected = [sum((1 - bit) << lane for lane, bit in enumerate(warp)) for warp in by_warp(bits) for _ in warp]
    yield Case("vote-sync-ballot-negated", "vote.sync.ballot.b32 of !p", "setp.ne.u32 %z, %x0, 0;\nvote.sync.ballot.b32 %y0, !%z, 0xffffffff;",
               [("u32", bits)], [("b32", expected)], registers=".reg .pred %z;")
    yield Case("vote-ballot-sync", "vote.ballot.sync.b32, an older spelling", "setp.ne.u32 %z, %x0, 0;\nvote.ballot.sync.b32 %y0, !%z, 0xffffffff;",
               [("u32", bits)], [("b32", expected)], registers=".reg .pred %z;")
    # Under a branch only the lanes named vote.
    low = [sum(1 << lane for lane in range(16) if warp[lane]) for warp in by_warp(bits)]
    body = ("mov.u32 %y0, 0;\nand.b32 %v, %i, 31;\nsetp.ge.u32 %w, %v, 16;\nsetp.ne.u32 %z, %x0, 0;\n@%w bra done;\n"
            "vote.sync.ballot.b32 %y0, %z, 0xffff;\ndone:")
    yield Case("vote-sync-ballot-partial", "vote.sync.ballot.b32 among 16 lanes", body, [("u32", bits)],
               [("b32", [low[t // WARP] if t % WARP < 16 else 0 for t in range(THREADS)])],
               registers=".reg .b32 %v;\n.reg .pred %z, %w;")


def matches():
    for t, width in (("b32", 32), ("b64", 64)):
        rng = values.generator("match")
        palette = patterns("match palette", 6, width)
        elements = [rng.choice(palette) for _ in range(THREADS)]
        expected = [sum(1 << lane for lane, other in enumerate(warp) if other == own) for warp in by_warp(elements) for own in warp]
        yield Case(f"match-any-sync-{t}", f"match.any.sync.{t}", f"match.any.sync.{t} %y0, %x0, 0xffffffff;", [(t, elements)],
                   [("b32", expected)])
        same = [palette[0]] * WARP + elements[WARP:]
        uniform = [len(set(warp)) == 1 for warp in by_warp(same)]
        body = f"match.all.sync.{t} %y0|%z, %x0, 0xffffffff;\nselp.u32 %y1, 1, 0, %z;"
        yield Case(f"match-all-sync-{t}", f"match.all.sync.{t}", body, [(t, same)],
                   [("b32", [FULL if uniform[i // WARP] else 0 for i in range(THREADS)]), ("u32", [int(uniform[i // WARP]) for i in range(THREADS)])],
                   registers=".reg .pred %z;")


def reductions():
    def fold(function):
        def over(warp):
            result = warp[0]
            for element in warp[1:]:
                result = function(result, element)
            return result
        return over
    operations = {"add": (["u32", "s32"], sum), "min": (["u32", "s32"], min), "max": (["u32", "s32"], max),
                  "and": (["b32"], fold(lambda a, b: a & b)), "or": (["b32"], fold(lambda a, b: a | b)), "xor": (["b32"], fold(lambda a, b: a ^ b))}
    for name, (types, function) in operations.items():
        for t in types:
            elements = patterns("redux " + name)
            expected = [function([interpret(t, e) for e in warp]) for warp in by_warp(elements) for _ in warp]
            form = f"redux.sync.{name}.{t}"
            yield Case(file_name(form), form, f"{form} %y0, %x0, 0xffffffff;", [(t, elements)], [(t, expected)], target="sm_80")


def active_masks():
    yield Case("activemask", "activemask.b32 of whole warps", "activemask.b32 %y0;", (), [("b32", [FULL] * THREADS)])
    body = ("and.b32 %v, %i, 3;\nsetp.eq.u32 %z, %v, 1;\nmov.u32 %y0, 0;\n@!%z bra done;\nactivemask.b32 %y0;\ndone:")
    yield Case("activemask-divergent", "activemask.b32 in a branch that every fourth lane takes", body, (),
               [("b32", [0x22222222 if t % 4 == 1 else 0 for t in range(THREADS)])], registers=".reg .b32 %v;\n.reg .pred %z;")
    yield Case("activemask-partial-warp", "activemask.b32 of a warp of 40 % 32 threads", "activemask.b32 %y0;", (),
               [("b32", [FULL] * 32 + [0xff] * 8)])


EXCHANGE = "mad.lo.u32 %v, %t, 4, %b;\nst.shared.u32 [%v], %x0;\n"
FETCH = "xor.b32 %v, %t, 96;\nmad.lo.u32 %v, %v, 4, %b;\nld.shared.u32 %y0, [%v];"
BLOCK = ".shared .align 4 .b8 block[512];"


def barriers():
    """Every thread hands its value to a thread of another warp through shared memory."""
    threads = 128
    elements = patterns("barrier", threads)
    exchanged = [elements[t ^ 96] for t in range(threads)]
    forms = {"bar-sync": "bar.sync 0;", "bar-sync-counted": "bar.sync 3, 128;", "bar-warp-and-block": "bar.warp.sync 0xffffffff;\nbar.sync 1;",
             "barrier-sync": "barrier.sync 2;", "barrier-sync-counted": "barrier.sync 2, 128;", "barrier-sync-aligned": "barrier.sync.aligned 5;",
             "bar-cta-sync": "bar.cta.sync 0;", "barrier-cta-sync": "barrier.cta.sync 0;",
             "bar-sync-register": "mov.u32 %w, 7;\nbar.sync %w;", "bar-sync-registers": "mov.u32 %w, 7;\nmov.u32 %u, 128;\nbar.sync %w, %u;"}
    for name, form in forms.items():
        body = f"mov.u32 %b, block;\n{EXCHANGE}{form}\n{FETCH}"
        yield Case(name, form.replace("\n", " "), body, [("u32", elements)], [("u32", exchanged)], registers=".reg .b32 %v, %w, %b, %u;",
                   module=BLOCK, version="7.8")
    # Producer warps arrive and go on, consumer warps wait: 64 of each.
    for arrive, sync in (("bar.arrive 1, 128;", "bar.sync 1, 128;"), ("barrier.arrive 1, 128;", "barrier.sync 1, 128;")):
        body = ("mov.u32 %b, block;\nmov.u32 %y0, 0;\nsetp.ge.u32 %z, %t, 64;\n@%z bra consume;\n"
                f"{EXCHANGE}{arrive}\nbra done;\nconsume:\n{sync}\nsub.u32 %v, %t, 64;\nmad.lo.u32 %v, %v, 4, %b;\nld.shared.u32 %y0, [%v];\ndone:")
        yield Case(arrive.split()[0].replace(".", "-"), f"{arrive} {sync}", body, [("u32", elements)],
                   [("u32", [0] * 64 + elements[:64])], registers=".reg .b32 %v, %b;\n.reg .pred %z;", module=BLOCK)
    # Subsets of the warps of a block use different barriers.
    body = ("mov.u32 %b, block;\nshr.u32 %w, %t, 6;\n" + EXCHANGE + "bar.sync %w, 64;\nxor.b32 %v, %t, 32;\nmad.lo.u32 %v, %v, 4, %b;\n"
            "ld.shared.u32 %y0, [%v];")
    yield Case("bar-sync-subsets", "bar.sync with a barrier for each pair of warps", body, [("u32", elements)],
               [("u32", [elements[t ^ 32] for t in range(threads)])], registers=".reg .b32 %v, %w, %b;", module=BLOCK)
    yield from barrier_reductions(threads)
    # Within a warp, bar.warp.sync orders shared memory among its lanes.
    body = f"mov.u32 %b, block;\n{EXCHANGE}bar.warp.sync 0xffffffff;\nxor.b32 %v, %t, 5;\nmad.lo.u32 %v, %v, 4, %b;\nld.shared.u32 %y0, [%v];"
    yield Case("bar-warp-sync", "bar.warp.sync", body, [("u32", elements)], [("u32", [elements[t ^ 5] for t in range(threads)])],
               registers=".reg .b32 %v, %b;", module=BLOCK)


def barrier_reductions(threads):
    sources = {"mixed": [int(p % 3 == 0) for p in patterns("barrier reduction", threads)], "ones": [1] * threads, "zeros": [0] * threads}
    for name, bits in sources.items():
        for negated in (False, True):
            seen = [1 - b for b in bits] if negated else bits
            bang, suffix = ("!", "-negated") if negated else ("", "")
            for mnemonic in ("bar", "barrier"):
                yield Case(f"{mnemonic}-red-popc-{name}{suffix}", f"{mnemonic}.red.popc.u32",
                           f"setp.ne.u32 %z, %x0, 0;\n{mnemonic}.red.popc.u32 %y0, 0, {bang}%z;", [("u32", bits)], [("u32", [sum(seen)] * threads)],
                           registers=".reg .pred %z;")
                for operation, result in (("and", int(all(seen))), ("or", int(any(seen)))):
                    yield Case(f"{mnemonic}-red-{operation}-{name}{suffix}", f"{mnemonic}.red.{operation}.pred",
                               f"setp.ne.u32 %z, %x0, 0;\n{mnemonic}.red.{operation}.pred %w, 1, 128, {bang}%z;\nselp.u32 %y0, 1, 0, %w;",
                               [("u32", bits)], [("u32", [result] * threads)], registers=".reg .pred %z, %w;")


def cases():
    for family in (shuffles, partial_shuffle, votes, matches, reductions, active_masks, barriers):
        for case in family():
            if family is not barriers or "bar.warp" in case.body:
                case.warp = WARP
            yield case
