#include "sm/matrix_groups.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

TEST(MatrixGroups, NothingIsPendingAtFirst) {
  const MatrixGroups groups;
  for (u32 left = 0; left <= MatrixGroups::kMostLeft; ++left) EXPECT_TRUE(groups.isDone(left)) << left;
}

TEST(MatrixGroups, AGroupIsDoneWhenItsLastProductIs) {
  MatrixGroups groups;
  groups.begin();
  groups.begin();
  groups.commit();
  groups.begin();
  groups.commit();
  EXPECT_TRUE(groups.isDone(2));
  EXPECT_FALSE(groups.isDone(1));
  groups.end();
  EXPECT_FALSE(groups.isDone(1));
  groups.end();
  EXPECT_TRUE(groups.isDone(1));
  EXPECT_FALSE(groups.isDone(0));
  groups.end();
  EXPECT_TRUE(groups.isDone(0));
}

TEST(MatrixGroups, AnEmptyGroupEndsWithThoseBefore) {
  MatrixGroups groups;
  groups.begin();
  groups.commit();
  groups.commit();
  EXPECT_FALSE(groups.isDone(1));
  groups.end();
  EXPECT_TRUE(groups.isDone(1));
}

TEST(MatrixGroups, WhatIsInNoGroupIsPendingWhereNoneMayBe) {
  MatrixGroups groups;
  groups.begin();
  groups.commit();
  groups.end();
  groups.begin();
  EXPECT_TRUE(groups.isDone(1));
  EXPECT_FALSE(groups.isDone(0));
}

// Of many groups, those that a wait can leave are remembered.
TEST(MatrixGroups, SevenMayBeLeftOfAnyNumber) {
  MatrixGroups groups;
  for (u32 i = 0; i < 100; ++i) {
    groups.begin();
    groups.commit();
  }
  for (u32 i = 0; i < 92; ++i) groups.end();
  EXPECT_FALSE(groups.isDone(7));
  groups.end();
  EXPECT_TRUE(groups.isDone(7));
  EXPECT_FALSE(groups.isDone(6));
}

}  // namespace
}  // namespace warpwright::sm
