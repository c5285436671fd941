"""Bulk copies (PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk") and the fences and prefetches of tensor maps. Copies of tensors need a map
that the driver makes: they are tested elsewhere."""
from . import values
from .asynchronous import CLUSTERED, HOPPER, REGISTERS, THREADS, TILE, WITH_BARRIER, addresses, initialised, opposite, results, waiting
from .case import Case
from .integer import file_name

BYTES = 4 * THREADS
MAP = REGISTERS + "\n.reg .b16 %h;"
LOAD = "mbarrier::complete_tx::bytes"


def once(text):
    """Thread 0 alone, which initialised() leaves in %k."""
    return "\n".join(f"@!%k {line}" for line in text.strip().splitlines())


def bulk_case(name, form, lines, ins, expected, module=WITH_BARRIER, where=HOPPER):
    return Case(name, form, "\n".join([addresses(4), *lines]), ins, [("b32", expected)], MAP, module, threads=THREADS, raw=True, **where)


def awaited():
    return waiting("mbarrier.try_wait.parity.shared::cta.b64", "[%n0], 0")


def expected_bytes(count=BYTES):
    return f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%n0], {count};"


def loads():
    words = values.integers("bulk load", 32, THREADS)
    policy = "createpolicy.fractional.L2::evict_first.b64 %c, 0f3F800000;"
    for target in ("shared::cluster", "shared::cta"):
        for hint in (False, True):
            form = f"cp.async.bulk.{target}.global.{LOAD}" + (".L2::cache_hint" if hint else "")
            copy = f"{form} [%w], [%in], {BYTES}, [%n0]{', %c' if hint else ''};"
            lines = [policy, initialised(1), once(f"{expected_bytes()}\n{copy}"), awaited(), results(4)]
            where = {**HOPPER, "version": "8.6"} if target == "shared::cta" else HOPPER
            yield bulk_case(file_name(form), form, lines, [("b32", words)], opposite(words, 4), where=where)
    for hint in (False, True):
        form = f"cp.async.bulk.shared::cluster.global.{LOAD}.multicast::cluster" + (".L2::cache_hint" if hint else "")
        copy = f"mov.b16 %h, 1;\n{form} [%w], [%in], {BYTES}, [%n0], %h{', %c' if hint else ''};"
        lines = [policy, initialised(1), once(f"{expected_bytes()}\n{copy}"), awaited(), results(4)]
        yield bulk_case(file_name(form), form, lines, [("b32", words)], opposite(words, 4))


WRITE = "ld.global.b32 %v, [%g];\nst.shared.b32 [%s], %v;\nfence.proxy.async.shared::cta;\nbar.sync 0;"
COMMIT = "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"


def sends():
    words = values.integers("bulk send", 32, THREADS)
    form = f"cp.async.bulk.shared::cluster.shared::cta.{LOAD}"
    lines = [initialised(1), WRITE, once(f"{expected_bytes()}\n{form} [%w+1024], [%w], {BYTES}, [%n0];"), awaited(),
             "ld.shared.b32 %v, [%q+1024];\nst.global.b32 [%p], %v;"]
    yield bulk_case(file_name(form), form, lines, [("b32", words)], opposite(words, 4), where=CLUSTERED)


def stores():
    words = values.integers("bulk store", 32, THREADS)
    first = "setp.ne.u32 %k, %t, 0;"
    for hint in (False, True):
        form = "cp.async.bulk.global.shared::cta.bulk_group" + (".L2::cache_hint" if hint else "")
        policy = "createpolicy.fractional.L2::evict_first.b64 %c, 0f3F800000;"
        lines = [policy, first, WRITE, once(f"{form} [%out], [%w], {BYTES}{', %c' if hint else ''};\n{COMMIT}")]
        yield bulk_case(file_name(form), form, lines, [("b32", words)], words, TILE)
    # Two groups, of which the second takes the source that the first has been read from.
    change = f"mov.b32 %v, 77;\nst.shared.b32 [%w], %v;\nfence.proxy.async;\ncp.async.bulk.global.shared::cta.bulk_group [%out+{BYTES}], [%w], {BYTES};"
    lines = [first, WRITE, once(f"cp.async.bulk.global.shared::cta.bulk_group [%out], [%w], {BYTES};\ncp.async.bulk.commit_group;\n"
                                f"cp.async.bulk.wait_group.read 0;\n{change}\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 1;\n"
                                "cp.async.bulk.wait_group 0;")]
    yield bulk_case("cp-async-bulk-groups", "cp.async.bulk.commit_group, cp.async.bulk.wait_group{.read}", lines, [("b32", words)],
                    words + [77] + words[1:], TILE)


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def reduce_value(op, kind, bits, a, b):
    """What is there, and what comes."""
    order = (lambda v: signed(v, bits)) if kind == "s" else (lambda v: v)
    result = {"and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b, "add": lambda: a + b,
              "min": lambda: min(a, b, key=order), "max": lambda: max(a, b, key=order),
              "inc": lambda: 0 if a >= b else a + 1, "dec": lambda: b if a == 0 or a > b else a - 1}[op]()
    return result & ((1 << bits) - 1)


IN_GLOBAL = {"and": ["b32", "b64"], "or": ["b32", "b64"], "xor": ["b32", "b64"], "add": ["u32", "s32", "u64"],
             "min": ["u32", "s32", "u64", "s64"], "max": ["u32", "s32", "u64", "s64"], "inc": ["u32"], "dec": ["u32"]}
BETWEEN = {"and": ["b32"], "or": ["b32"], "xor": ["b32"], "add": ["u32", "s32", "u64"], "min": ["u32", "s32"], "max": ["u32", "s32"],
           "inc": ["u32"], "dec": ["u32"]}


def as_words(elements, bits):
    return [element >> shift & 0xffffffff for element in elements for shift in range(0, bits, 32)]


def reductions():
    """The second half of the input is reduced into the first."""
    for between, table in ((False, IN_GLOBAL), (True, BETWEEN)):
        for op, types in table.items():
            for t in types:
                yield reduction(between, op, t)


def reduction(between, op, t):
    bits = int(t[1:])
    count = BYTES * 8 // bits
    before, come = values.integers(f"bulk {op} {t} before", bits, count), list(reversed(values.integers(f"bulk {op} {t}", bits, count)))
    after = [reduce_value(op, t[0], bits, a, b) for a, b in zip(before, come)]
    take = f"ld.global.b32 %v, [%g+{BYTES}];\nst.shared.b32 [%s], %v;\nld.global.b32 %v, [%g];\n"
    if between:
        form = f"cp.reduce.async.bulk.shared::cluster.shared::cta.{LOAD}.{op}.{t}"
        lines = [initialised(1), take + "st.shared.b32 [%s+1024], %v;\nfence.proxy.async;\nbar.sync 0;",
                 once(f"{expected_bytes()}\n{form} [%w+1024], [%w], {BYTES}, [%n0];"), awaited(),
                 "ld.shared.b32 %v, [%s+1024];\nst.global.b32 [%p], %v;"]
    else:
        form = f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}.{t}"
        lines = ["setp.ne.u32 %k, %t, 0;", take + "st.global.b32 [%p], %v;\nfence.proxy.async;\nbar.sync 0;",
                 once(f"{form} [%out], [%w], {BYTES};\n{COMMIT}")]
    return bulk_case(file_name(form), form, lines, [("b32", as_words(before + come, bits))], as_words(after, bits),
                     where=CLUSTERED if between else HOPPER)


def tensor_maps():
    """What orders accesses to a map, or fetches it, changes no value."""
    for form, operands in (("fence.proxy.tensormap::generic.release.gpu", ""), ("fence.proxy.tensormap::generic.acquire.gpu", " [%in], 128"),
                           ("fence.proxy.tensormap::generic.release.sys", ""), ("prefetch.tensormap", " [%c]")):
        lines = [f"cvta.global.u64 %c, %in;\nst.shared.b32 [%s], %t;\n{form}{operands};\nbar.sync 0;", results(4)]
        where = {**HOPPER, "version": "8.3"} if form.startswith("fence") else HOPPER
        yield bulk_case(file_name(form), form, lines, [("b32", [0] * THREADS)], list(reversed(range(THREADS))), TILE, where)


def cases():
    for family in (loads, sends, stores, reductions, tensor_maps):
        yield from family()
