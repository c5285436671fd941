#include "lab/store/store.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "lab/store/schema.hpp"
#include "unit/lab/temporary_file.hpp"

namespace warpwright::lab {
namespace {

Plan planOf(const std::vector<std::string>& keys, const std::string& hash = "plan") {
  Plan plan{{.name = "x"}, {.version = "0", .revision = "r"}, {}, hash};
  for (const std::string& key : keys)
    plan.cells.push_back({{.key = key, .program = "/p", .arguments = {"--size", "a b"}, .options = {{"max_registers", "16"}}},
                          "p",
                          "p",
                          "m",
                          {{"l1d.ways", key}}});
  return plan;
}

ProgramProgress progressOf(Store& store, Id experiment) {
  const auto all = store.progress(experiment);
  return all.empty() ? ProgramProgress{} : all.front();
}

class StoreTest : public ::testing::Test {
 protected:
  TemporaryFile file_;
  Store store_{file_.path(), {.access = Access::create}};
};

TEST_F(StoreTest, KeepsAPlanOnce) {
  const Id experiment = store_.add(planOf({"1", "2"}));
  EXPECT_EQ(store_.add(planOf({"1", "2"})), experiment);
  EXPECT_EQ(progressOf(store_, experiment).waiting, 2U);
  const auto runs = store_.runs(experiment);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].parameters, (Settings{{"l1d.ways", "2"}}));
  const RunSpec spec = store_.specOf(runs[0].run);
  EXPECT_EQ(spec.arguments, (std::vector<std::string>{"--size", "a b"}));
  EXPECT_EQ(spec.options, (Settings{{"max_registers", "16"}}));
}

TEST_F(StoreTest, ExperimentsShareRuns) {
  const Id first = store_.add(planOf({"1", "2"}, "first"));
  const auto run = store_.claim(first, "me");
  store_.finish(*run, "me", {.profile = R"({"kernels": []})"});
  const Id second = store_.add(planOf({"1", "3"}, "second"));
  EXPECT_EQ(progressOf(store_, second).done, 1U);
  EXPECT_EQ(progressOf(store_, second).waiting, 1U);
}

TEST_F(StoreTest, GivesARunToOneOwnerAlone) {
  const Id experiment = store_.add(planOf({"1"}));
  Store other(file_.path());
  const auto run = store_.claim(experiment, "me");
  ASSERT_TRUE(run);
  EXPECT_FALSE(other.claim(experiment, "you"));
  other.finish(*run, "you", {.state = State::failed, .message = "not yours"});
  EXPECT_EQ(progressOf(store_, experiment).running, 1U);
  store_.release("me");
  EXPECT_TRUE(other.claim(experiment, "you"));
}

TEST_F(StoreTest, FailuresAreRowsAndAreRepeatedWhenAsked) {
  const Id experiment = store_.add(planOf({"1"}));
  store_.finish(*store_.claim(experiment, "me"), "me", {.state = State::timedOut, .message = "stopped after 3 s", .exitStatus = 137});
  EXPECT_EQ(store_.runs(experiment)[0].message, "stopped after 3 s");
  EXPECT_FALSE(store_.claim(experiment, "me"));
  store_.retry(experiment);
  EXPECT_TRUE(store_.claim(experiment, "me"));
}

TEST_F(StoreTest, ViewsHaveTheNumbers) {
  const Id experiment = store_.add(planOf({"1"}));
  const std::string profile =
      nlohmann::json{
          {"kernels",
           {{{"name", "_Z1fi"}, {"signature", "f(int)"}, {"lines", {{{"file", nullptr}}}}, {"timing", {{"counters", {{"cycles", 7}}}}}}}}}
          .dump();
  store_.finish(*store_.claim(experiment, "me"), "me", {.profile = profile});
  store_.database().with([](SQLite::Database& database) {
    SQLite::Statement row(database,
                          "SELECT kernel, value, parameters ->> '$.\"l1d.ways\"' FROM metrics WHERE metric = 'timing.counters.cycles'");
    ASSERT_TRUE(row.executeStep());
    EXPECT_EQ(row.getColumn(0).getString(), "f");
    EXPECT_EQ(row.getColumn(1).getInt(), 7);
    EXPECT_EQ(row.getColumn(2).getString(), "1");
    EXPECT_FALSE(row.executeStep());
  });
}

TEST_F(StoreTest, FindsExperimentsByNameAndNumber) {
  store_.add(planOf({"1"}, "first"));
  const Id second = store_.add(planOf({"1", "2"}, "second"));
  EXPECT_EQ(store_.find("").id, second);
  EXPECT_EQ(store_.find("x").id, second);
  EXPECT_EQ(store_.find("x@1").id, 1);
  EXPECT_THROW(store_.find("y@1"), Error);
}

class SchemaTest : public ::testing::Test {
 protected:
  int version() {
    return database_.with([](SQLite::Database& database) { return database.execAndGet("PRAGMA user_version").getInt(); });
  }
  TemporaryFile file_;
  Database database_{file_.path(), {.access = Access::create}};
};

TEST_F(SchemaTest, OlderVersionsAreBroughtUpAndKeepTheirRows) {
  const char* const first[] = {"CREATE TABLE t (a); INSERT INTO t VALUES (1);"};
  const char* const both[] = {first[0], "ALTER TABLE t ADD COLUMN b DEFAULT 2;"};
  migrate(database_, first);
  EXPECT_EQ(version(), 1);
  migrate(database_, both);
  EXPECT_EQ(version(), 2);
  const int sum = database_.with([](SQLite::Database& database) { return database.execAndGet("SELECT sum(a + b) FROM t").getInt(); });
  EXPECT_EQ(sum, 3);
}

TEST_F(SchemaTest, AStepThatFailsChangesNothing) {
  const char* const steps[] = {"CREATE TABLE t (a);", "CREATE TABLE u (a); CREATE TABLE t (a);"};
  EXPECT_THROW(migrate(database_, steps), Error);
  EXPECT_EQ(version(), 1);
  EXPECT_FALSE(database_.with([](SQLite::Database& database) { return database.tableExists("u"); }));
}

TEST_F(SchemaTest, LaterVersionsAndOtherDatabasesAreRefused) {
  const char* const both[] = {"CREATE TABLE t (a);", "CREATE TABLE u (a);"};
  migrate(database_, both);
  EXPECT_THROW(migrate(database_, std::span(both, 1)), Error);
  const TemporaryFile foreign;
  Database other(foreign.path(), {.access = Access::create});
  other.with([](SQLite::Database& database) { database.exec("CREATE TABLE addresses (a)"); });
  EXPECT_THROW(migrate(other, both), Error);
}

TEST(DatabaseTest, ExplainsDamage) {
  const TemporaryFile file;
  std::ofstream(file.path()) << std::string(5000, 'x');
  try {
    Store store(file.path());
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("damaged"), std::string::npos);
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(DatabaseTest, ExplainsALock) {
  const TemporaryFile file;
  Store store(file.path(), {.access = Access::create});
  Database other(file.path(), {.lockWait = std::chrono::milliseconds(1)});
  store.database().write([&](SQLite::Database&) {
    try {
      other.write([](SQLite::Database&) {});
      FAIL() << "written";
    } catch (const Error& error) {
      EXPECT_NE(error.message().find("locked"), std::string::npos);
    }
  });
}

}  // namespace
}  // namespace warpwright::lab
