#include "mechanisms/assist_warps/annotation.hpp"

#include <gtest/gtest.h>

namespace warpwright::mechanisms::assist_warps {
namespace {

const SourcePosition kWhere{"routines.ptx", 7, 3};

Annotation read(const std::string& text) { return parseAnnotation(text, kWhere).value(); }

std::string refusal(const std::string& text) {
  try {
    parseAnnotation(text, kWhere);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Annotation, HasAllThatItSays) {
  const Annotation all =
      read("assist on=load,store priority=normal in=address,value,bytes out=count lanes=0xff speculative=no kernel=saxpy");
  ASSERT_EQ(all.on.size(), 2u);
  EXPECT_EQ(all.on[0].trigger, Trigger::load);
  EXPECT_EQ(all.on[1].trigger, Trigger::store);
  EXPECT_EQ(all.priority, Priority::normal);
  EXPECT_EQ(all.in, (std::vector{LiveIn::address, LiveIn::value, LiveIn::bytes}));
  EXPECT_EQ(all.out, std::vector{LiveOut::count});
  EXPECT_EQ(all.lanes, LaneMask(0xff));
  EXPECT_FALSE(all.isSpeculative);
  EXPECT_EQ(all.kernels, std::vector<std::string>{"saxpy"});
}

TEST(Annotation, IsOfLowPriorityAndSpeculativeWhereItSaysNothing) {
  const Annotation least = read("assist on=idle");
  EXPECT_EQ(least.priority, Priority::low);
  EXPECT_TRUE(least.isSpeculative);
  EXPECT_EQ(least.lanes, ~LaneMask{});
  EXPECT_TRUE(least.in.empty() && least.out.empty() && least.kernels.empty());
}

TEST(Annotation, GivesTimersAndLinesTheirNumbers) {
  const Annotation numbers = read("assist on=timer:500,line:42");
  EXPECT_EQ(numbers.on[0].number, 500u);
  EXPECT_EQ(numbers.on[1].trigger, Trigger::line);
  EXPECT_EQ(numbers.on[1].number, 42u);
}

TEST(Annotation, NamesRegistersThatAreKept) {
  const Annotation kept = read("assist on=load in=kept:last,pc,line out=kept:last,kept:more buffer=64 report=buffer");
  EXPECT_EQ(kept.in, (std::vector{LiveIn::kept, LiveIn::pc, LiveIn::line}));
  EXPECT_EQ(kept.registers, (std::vector<std::string>{"last", "", ""}));
  EXPECT_EQ(kept.changed, (std::vector<std::string>{"last", "more"}));
  EXPECT_EQ(kept.report, Report::buffer);
  EXPECT_NE(refusal("assist on=load in=kept").find("names no register"), std::string::npos);
  EXPECT_NE(refusal("assist on=load out=kept:a,kept:a").find("two results go to"), std::string::npos);
  EXPECT_NE(refusal("assist on=request in=kept:a").find("on=request"), std::string::npos);
  EXPECT_NE(refusal("assist on=idle in=pc").find("of an instruction"), std::string::npos);
  EXPECT_NE(refusal("assist on=load report=table").find("no table to report"), std::string::npos);
  EXPECT_NE(refusal("assist on=load report=tabel").find("did you mean 'table'?"), std::string::npos);
}

TEST(Annotation, NamesTheLevelOfAMiss) {
  const Annotation below = read("assist on=miss,miss:l2 in=address");
  EXPECT_EQ(below.on[0].trigger, Trigger::miss);
  EXPECT_EQ(below.on[1].trigger, Trigger::missBelow);
  EXPECT_NE(refusal("assist on=miss:l3").find("miss:l2"), std::string::npos) << refusal("assist on=miss:l3");
}

TEST(Annotation, AsksForMemoryWhateverTriggersIt) {
  const Annotation memory = read("assist on=load,idle in=buffer,table buffer=64 table=0x400");
  EXPECT_EQ(memory.bufferBytes, 64u);
  EXPECT_EQ(memory.tableBytes, 1024u);
  EXPECT_EQ(memory.in, (std::vector{LiveIn::buffer, LiveIn::table}));
}

TEST(Annotation, IsNoOtherPragma) {
  EXPECT_FALSE(parseAnnotation("nounroll", kWhere));
  EXPECT_FALSE(parseAnnotation("", kWhere));
  EXPECT_FALSE(parseAnnotation("assistant on=load", kWhere));
}

TEST(Annotation, IsRefusedWithPositionCauseAndRemedy) {
  EXPECT_EQ(refusal("assist on=lod"),
            "routines.ptx:7:3: error: the annotation \"assist on=lod\": 'lod' is no trigger\n  remedy: did you mean 'load'?");
  const auto says = [](const char* text, const char* what) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(what), std::string::npos) << text << ": " << message;
  };
  says("assist", "nothing triggers it");
  says("assist on", "'on' has no value");
  says("assist on=load on=store", "'on' is given twice");
  says("assist on=load colour=red", "'colour' is no key");
  says("assist on=load priority=urgent", "'urgent' is no priority");
  says("assist on=timer", "the trigger 'timer' needs a number");
  says("assist on=load:4", "the trigger 'load' has no number");
  says("assist on=timer:0", "'0' is no number");
  says("assist on=load lanes=xyz", "'xyz' is no number");
  says("assist on=load speculative=maybe", "'maybe' is no choice");
}

TEST(Annotation, AsksForNothingThatItsTriggersDoNotHave) {
  EXPECT_NE(refusal("assist on=idle in=address").find("not all of its triggers have an address"), std::string::npos);
  EXPECT_NE(refusal("assist on=store,miss in=value").find("not all of its triggers have a value"), std::string::npos);
  EXPECT_NE(refusal("assist on=miss in=bytes").find("a number of bytes"), std::string::npos);
  EXPECT_NE(refusal("assist on=store priority=high out=value").find("no register to go to"), std::string::npos);
  EXPECT_NE(refusal("assist on=load priority=low out=value").find("add priority=high"), std::string::npos);
  EXPECT_NE(refusal("assist on=load in=buffer").find("it has no buffer"), std::string::npos);
  EXPECT_NE(refusal("assist on=load in=table").find("it has no table"), std::string::npos);
  EXPECT_NE(refusal("assist on=fault in=address").find("add priority=high"), std::string::npos);
  EXPECT_NE(refusal("assist on=fault priority=high in=value").find("not all of its triggers have a value"), std::string::npos);
  EXPECT_EQ(refusal("assist on=fault priority=high in=address"), "");
  EXPECT_EQ(refusal("assist on=miss,fill in=address"), "");
  EXPECT_EQ(refusal("assist on=load priority=high in=value out=value"), "");
}

}  // namespace
}  // namespace warpwright::mechanisms::assist_warps
