"""cp.async and mbarrier objects (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy", "Parallel Synchronization and
Communication Instructions: mbarrier")."""
from . import values
from .case import Case
from .integer import file_name

AMPERE = {"version": "7.4", "target": "sm_80"}
HOPPER = {"version": "8.0", "target": "sm_90"}
# What goes to another block of the cluster and tells its mbarrier object needs a kernel that is launched in clusters, if only of one block:
# the H100 takes it for an illegal instruction otherwise.
CLUSTERED = {"version": "8.1", "target": "sm_90", "directives": ".reqnctapercluster 1"}
THREADS = 64  # more than one warp of most sizes
TILE = ".shared .align 16 .b8 tile[2048];"
SPACES = (".shared", ".shared::cta", "")


def words_for(name, size):
    return values.integers(name, 32, THREADS * size // 4)


def addresses(size):
    """%s: the thread's place in the tile; %g: in the input; %q: that of the thread opposite in the tile."""
    return f"""
        mov.u32 %w, tile;
        mad.lo.u32 %s, %t, {size}, %w;
        mad.wide.u32 %g, %t, {size}, %in;
        sub.u32 %q, {THREADS - 1}, %t;
        mad.lo.u32 %q, %q, {size}, %w;
        mad.wide.u32 %p, %t, {size}, %out;"""


def results(size, source="%q"):
    return "\n".join(f"ld.shared.b32 %v, [{source}+{i}];\nst.global.b32 [%p+{i}], %v;" for i in range(0, size, 4))


def opposite(words, size):
    each = size // 4
    return [word for thread in range(THREADS) for word in words[(THREADS - 1 - thread) * each:(THREADS - thread) * each]]


REGISTERS = ".reg .b32 %s, %q, %w, %v, %n<4>;\n.reg .b64 %g, %c, %st<4>, %m;\n.reg .pred %k, %o;"


def copy_case(name, form, before, copy, after, size, words, expected, module=TILE, where=None):
    body = "\n".join([addresses(size), before, copy, after, "bar.sync 0;", results(size)])
    return Case(name, form, body, [("b32", words)], [("b32", expected)], REGISTERS, module, threads=THREADS, raw=True, **(where or AMPERE))


def copies():
    finish = "cp.async.commit_group;\ncp.async.wait_group 0;"
    for cache, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        words = words_for(f"cp.async {cache} {size}", size)
        for hint in ("", ".L2::64B", ".L2::128B", ".L2::256B"):
            form = f"cp.async.{cache}.shared.global{hint}"
            yield copy_case(file_name(f"{form} {size}").replace(" ", "-"), f"{form} of {size} bytes", "", f"{form} [%s], [%g], {size};",
                            finish, size, words, opposite(words, size))
        yield copy_case(f"cp-async-{cache}-{size}-wait-all", f"cp.async.{cache} of {size} bytes, wait_all", "",
                        f"cp.async.{cache}.shared::cta.global [%s], [%g], {size};", "cp.async.wait_all;", size, words, opposite(words, size))
        yield from partial(cache, size, finish)
        yield copy_case(f"cp-async-{cache}-{size}-policy", f"cp.async.{cache} with .L2::cache_hint",
                        "createpolicy.fractional.L2::evict_first.b64 %c, 0f3F800000;",
                        f"cp.async.{cache}.shared.global.L2::cache_hint [%s], [%g], {size}, %c;", finish, size, words, opposite(words, size))


def partial(cache, size, finish):
    """Bytes beyond the source's size are zero; all are when the predicate says "ignore"."""
    fill = "\n".join(["mov.b32 %v, 0xffffffff;"] + [f"st.shared.b32 [%s+{i}], %v;" for i in range(0, size, 4)])
    words = words_for(f"cp.async partial {size}", size)
    raw = b"".join(word.to_bytes(4, "little") for word in words)
    kept = b"".join(raw[t * size:t * size + t % (size + 1)].ljust(size, b"\0") for t in range(THREADS))
    expected = [int.from_bytes(kept[i:i + 4], "little") for i in range(0, len(kept), 4)]
    yield copy_case(f"cp-async-{cache}-{size}-source-size", f"cp.async.{cache} of {size} bytes with a source size",
                    fill + f"\nrem.u32 %v, %t, {size + 1};", f"cp.async.{cache}.shared.global [%s], [%g], {size}, %v;", finish, size, words,
                    opposite(expected, size))
    each = size // 4
    expected = [0 if i // each % 3 == 0 else word for i, word in enumerate(words)]
    yield copy_case(f"cp-async-{cache}-{size}-ignore-source", f"cp.async.{cache} of {size} bytes with an ignore-src predicate",
                    fill + "\nrem.u32 %v, %t, 3;\nsetp.eq.u32 %o, %v, 0;", f"cp.async.{cache}.shared.global [%s], [%g], {size}, %o;", finish,
                    size, words, opposite(expected, size), where={"version": "7.5", "target": "sm_80"})


def groups():
    """Of three groups in flight, the first is complete when at most two may be pending, and so on."""
    words = values.integers("cp.async groups", 32, 3 * THREADS)
    stages = []
    for stage in range(3):
        stages += [f"cp.async.ca.shared.global [%s+{stage * 4 * THREADS}], [%g+{stage * 4 * THREADS}], 4;", "cp.async.commit_group;"]
    for stage in range(3):
        stages += [f"cp.async.wait_group {2 - stage};", "bar.sync 0;", f"ld.shared.b32 %v, [%q+{stage * 4 * THREADS}];",
                   f"st.global.b32 [%p+{stage * 4 * THREADS}], %v;"]
    expected = [word for stage in range(3) for word in reversed(words[stage * THREADS:(stage + 1) * THREADS])]
    yield Case("cp-async-groups", "cp.async.commit_group, cp.async.wait_group 2, 1, 0", "\n".join([addresses(4), *stages]), [("b32", words)],
               [("b32", expected)], REGISTERS, TILE, threads=THREADS, raw=True, **AMPERE)


WITH_BARRIER = TILE + "\n.shared .align 8 .b64 done;"


def initialised(count, space=".shared"):
    target = "%m" if space == "" else "%n0"
    return f"""
        mov.u32 %n0, done;
        cvt.u64.u32 %m, %n0;
        cvta.shared.u64 %m, %m;
        setp.ne.u32 %k, %t, 0;
        @!%k mbarrier.init{space}.b64 [{target}], {count};
        bar.sync 0;"""


def waiting(form, operands):
    return f"poll:\n{form} %k, {operands};\n@!%k bra poll;"


def copies_that_arrive():
    words = words_for("cp.async mbarrier", 8)
    for space in SPACES:
        at = "[%m]" if space == "" else "[%n0]"
        wait = waiting(f"mbarrier.try_wait.parity{space}.b64", f"{at}, 0")
        form = f"cp.async.mbarrier.arrive.noinc{space}.b64"
        yield copy_case(file_name(form), form, initialised(THREADS, space), f"cp.async.ca.shared.global [%s], [%g], 8;\n{form} {at};", wait, 8,
                        words, opposite(words, 8), WITH_BARRIER, {"version": "7.8", "target": "sm_90"})
        # Without .noinc the copy's arrival is one more: the threads' own are still needed.
        form = f"cp.async.mbarrier.arrive{space}.b64"
        yield copy_case(file_name(form), form, initialised(THREADS, space),
                        f"cp.async.ca.shared.global [%s], [%g], 8;\n{form} {at};\nmbarrier.arrive{space}.b64 %st0, {at};", wait, 8, words,
                        opposite(words, 8), WITH_BARRIER, {"version": "7.8", "target": "sm_90"})


def waits():
    """A tile is written, waited for and read, twice: phases 0 and 1."""
    for name, state in (("test_wait", True), ("try_wait", True), ("test_wait", False), ("try_wait", False)):
        for space in SPACES:
            for semantics in ("", ".acquire.cta"):
                parity = "" if state else ".parity"
                form = f"mbarrier.{name}{parity}{semantics}{space}.b64"
                at = "[%m]" if space == "" else "[%n0]"
                rounds = []
                for phase in (0, 1):
                    token = "%st0" if state else str(phase)
                    rounds.append(f"""
                        add.u32 %v, %t, {100 * (phase + 1)};
                        st.shared.b32 [%s], %v;
                        mbarrier.arrive{space}.b64 %st0, {at};
                        poll{phase}:
                        {form} %k, {at}, {token};
                        @!%k bra poll{phase};
                        ld.shared.b32 %v, [%q];
                        st.global.b32 [%p+{4 * THREADS * phase}], %v;
                        bar.sync 0;""")
                expected = [THREADS - 1 - t + 100 * (phase + 1) for phase in (0, 1) for t in range(THREADS)]
                yield Case(file_name(form), form, "\n".join([addresses(4), initialised(THREADS, space), *rounds]), [("b32", [0] * THREADS)],
                           [("b32", expected)], REGISTERS, WITH_BARRIER, threads=THREADS, raw=True, version="8.0", target="sm_90")


def counted(name, form, body, expected, where=HOPPER):
    """One thread asks an object about itself: %n0 is its address, answers go to the output one after the other."""
    answers = iter(range(len(expected)))
    lines = []
    for line in body.strip().splitlines():
        line = line.strip()
        if line.startswith("pending "):
            lines += [f"mbarrier.pending_count.b64 %v, {line.split()[1]};", f"st.global.b32 [%out+{4 * next(answers)}], %v;"]
        elif line.startswith("done "):
            lines += [f"mbarrier.test_wait.shared.b64 %k, [%n0], {line.split()[1]};", "selp.b32 %v, 1, 0, %k;",
                      f"st.global.b32 [%out+{4 * next(answers)}], %v;"]
        else:
            lines.append(line)
    return Case(name, form, "\n".join(["mov.u32 %n0, done;", *lines]), [], [("b32", expected)], REGISTERS, WITH_BARRIER, threads=1, raw=True, **where)


def counts():
    """pending_count tells what was pending before the operation that gave the state."""
    yield counted("mbarrier-counts", "mbarrier.arrive, its counts, and the end of a phase", """
        mbarrier.init.shared.b64 [%n0], 5;
        mbarrier.arrive.shared.b64 %st0, [%n0];
        pending %st0
        mbarrier.arrive.noComplete.shared.b64 %st1, [%n0], 2;
        pending %st1
        done %st0
        mbarrier.arrive.release.cta.shared.b64 %st2, [%n0], 2;
        pending %st2
        done %st0
        mbarrier.arrive.shared::cta.b64 %st3, [%n0];
        pending %st3
        done %st3""", [5, 4, 0, 2, 1, 5, 0])
    yield counted("mbarrier-arrive-drop", "mbarrier.arrive_drop", """
        mbarrier.init.shared.b64 [%n0], 3;
        mbarrier.arrive_drop.shared.b64 %st0, [%n0];
        pending %st0
        mbarrier.arrive_drop.noComplete.shared.b64 %st1, [%n0], 1;
        pending %st1
        mbarrier.arrive.shared.b64 %st2, [%n0];
        done %st0
        mbarrier.arrive.shared.b64 %st3, [%n0];
        pending %st3
        done %st3""", [3, 2, 1, 1, 1])
    yield counted("mbarrier-transactions", "mbarrier.expect_tx, .complete_tx", """
        mbarrier.init.shared.b64 [%n0], 2;
        mbarrier.expect_tx.relaxed.cta.shared.b64 [%n0], 96;
        mbarrier.arrive.shared.b64 %st0, [%n0];
        mbarrier.arrive.expect_tx.shared.b64 %st1, [%n0], 32;
        done %st0
        mbarrier.complete_tx.relaxed.cta.shared.b64 [%n0], 100;
        done %st0
        mbarrier.complete_tx.shared::cta.b64 [%n0], 28;
        done %st0
        mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 %st2, [%n0], 8;
        mbarrier.arrive.shared.b64 %st3, [%n0];
        done %st2
        mbarrier.complete_tx.shared.b64 [%n0], 8;
        done %st2""", [0, 0, 1, 0, 1])
    yield counted("mbarrier-inval", "mbarrier.inval; the memory is initialised anew", """
        mbarrier.init.shared.b64 [%n0], 7;
        mbarrier.arrive.shared.b64 %st0, [%n0];
        mbarrier.inval.shared.b64 [%n0];
        mbarrier.init.shared::cta.b64 [%n0], 1;
        mbarrier.arrive.shared.b64 %st1, [%n0];
        pending %st1
        done %st1""", [1, 1])


def fences():
    """Between writing and reading the tile, a fence beside the barrier: it orders, and changes no value."""
    for form in ("fence.proxy.alias", "fence.proxy.async", "fence.proxy.async.global", "fence.proxy.async.shared::cta",
                 "fence.proxy.async.shared::cluster", "fence.mbarrier_init.release.cluster"):
        yield Case(file_name(form), form, "\n".join([addresses(4), f"st.shared.b32 [%s], %t;\n{form};\nbar.sync 0;", results(4)]),
                   [("b32", [0] * THREADS)], [("b32", list(reversed(range(THREADS))))], REGISTERS, TILE, threads=THREADS, raw=True, **HOPPER)


def asynchronous_case(name, form, size, before, store, expected):
    """Each thread's store goes to the place of the thread opposite, and an object counts its bytes. %v: the thread's number, %c that in 64 bits."""
    body = "\n".join([addresses(size), initialised(1), f"""
        @!%k mbarrier.arrive.expect_tx.shared.b64 %st0, [%n0], {THREADS * size};
        cvt.u64.u32 %c, %t;
        {before}
        mov.b32 %v, %t;
        bar.sync 0;
        mapa.shared::cluster.u32 %n1, %q, 0;
        mapa.shared::cluster.u32 %n2, %n0, 0;
        {store}""", waiting("mbarrier.try_wait.parity.shared.b64", "[%n0], 0"), results(size, "%s")])
    return Case(name, form, body, [("b32", [0] * (THREADS * size // 4))], [("b32", expected)], REGISTERS, WITH_BARRIER, threads=THREADS, raw=True,
                **CLUSTERED)


def asynchronous_stores():
    opposites = list(reversed(range(THREADS)))
    how = ".shared::cluster.mbarrier::complete_tx::bytes"
    for weak, vector, type_, value, words in (("", "", "b32", "%v", 1), (".weak", "", "u64", "%c", 2), ("", ".v2", "u32", "{%v, 7}", 2),
                                              ("", ".v4", "b32", "{%v, 7, 8, %v}", 4), ("", ".v2", "b64", "{%c, %c}", 4)):
        parts = {1: lambda t: [t], 2: lambda t: [t, 0] if type_ == "u64" else [t, 7], 4: lambda t: [t, 0, t, 0] if type_ == "b64" else [t, 7, 8, t]}
        form = f"st.async{weak}{how}{vector}.{type_}"
        yield asynchronous_case(f"st-async{weak}{vector}-{type_}".replace(".", "-"), form, 4 * words, "", f"{form} [%n1], {value}, [%n2];",
                                [word for t in opposites for word in parts[words](t)])
    # The place holds 20 before.
    operations = {"add.u32": lambda t: 20 + t, "add.s32": lambda t: 20 + t, "min.u32": lambda t: min(20, t), "max.s32": lambda t: max(20, t),
                  "inc.u32": lambda t: 0 if 20 >= t else 21, "dec.u32": lambda t: t if 20 > t else 19, "and.b32": lambda t: 20 & t,
                  "or.b32": lambda t: 20 | t, "xor.b32": lambda t: 20 ^ t}
    for operation, result in operations.items():
        form = f"red.async.relaxed.cluster{how}.{operation}"
        yield asynchronous_case(f"red-async-{operation}".replace(".", "-"), form, 4, "st.shared.b32 [%s], 20;", f"{form} [%n1], %v, [%n2];",
                                [result(t) for t in opposites])
    form = f"red.async.relaxed.cluster{how}.add.u64"
    yield asynchronous_case("red-async-add-u64", form, 8, "mov.b64 %m, 20;\nst.shared.b64 [%s], %m;", f"{form} [%n1], %c, [%n2];",
                            [word for t in opposites for word in (20 + t, 0)])


def cases():
    for family in (copies, groups, copies_that_arrive, waits, counts, fences, asynchronous_stores):
        yield from family()
