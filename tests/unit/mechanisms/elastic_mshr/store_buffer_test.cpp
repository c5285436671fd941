// Stores that go on together, store by store.
#include "mechanisms/elastic_mshr/store_buffer.hpp"

#include <gtest/gtest.h>

#include "unit/mechanisms/elastic_mshr/load_requests.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

// Of the bytes of one block; 0: which they are is not known.
mem::Request storeOf(u64 block, u32 bytes, u32 id = 0) {
  mem::Request store = requestFor(block, id, 0, mem::AccessType::globalWrite);
  if (bytes == ~u32{0}) {
    store.wholeSectors = 1;
  } else {
    store.written[0] = bytes;
  }
  return store;
}

constexpr u32 kAll = ~u32{0};

TEST(ElasticMshrStoreBuffer, BytesOfASectorAddUp) {
  StoreBuffer buffer(2, 32);
  EXPECT_EQ(buffer.add(storeOf(5, 0xffff), 2, {}), StoreBuffer::Outcome::opened);
  EXPECT_EQ(buffer.add(storeOf(5, 0xffff'0000), 2, {}), StoreBuffer::Outcome::joined);
  EXPECT_EQ(buffer.add(storeOf(4, 0xf), 2, {}), StoreBuffer::Outcome::joined);
  EXPECT_FALSE(buffer.hasClosed());
  EXPECT_TRUE(buffer.close(GlobalAddress(4 * 32)));
  const mem::Request write = buffer.take();
  EXPECT_EQ(write.address, 4u * 32);
  EXPECT_EQ(write.lineBytes, 64u);
  EXPECT_EQ(write.sectors, 3u);
  EXPECT_EQ(write.wholeSectors, 2u);
  EXPECT_EQ(write.written[0], 0xfu);
  EXPECT_EQ(write.written[1], 0u);
}

TEST(ElasticMshrStoreBuffer, OfUnknownBytesNothingIsKnown) {
  StoreBuffer buffer(2, 32);
  buffer.add(storeOf(4, 0), 2, {});
  buffer.add(storeOf(4, 0xff), 2, {});
  buffer.close(GlobalAddress(4 * 32));
  EXPECT_EQ(buffer.take().written[0], 0u);
  buffer.add(storeOf(8, 0xff), 2, {});
  buffer.add(storeOf(8, 0), 2, {});
  buffer.add(storeOf(9, kAll), 2, {});
  buffer.close(GlobalAddress(8 * 32));
  const mem::Request write = buffer.take();
  EXPECT_EQ(write.written[0], 0u);
  EXPECT_EQ(write.wholeSectors, 2u);
}

// Blocks of 64 bytes have two sectors each.
TEST(ElasticMshrStoreBuffer, BlocksMayHaveSeveralSectors) {
  StoreBuffer buffer(1, 64);
  mem::Request store = storeOf(6, kAll);  // byte 192: the fourth block of 64, in the second hyper block of 128
  store.lineBytes = 64;
  store.sectors = store.wholeSectors = 2;
  buffer.add(store, 2, {});
  buffer.close(GlobalAddress(192));
  const mem::Request write = buffer.take();
  EXPECT_EQ(write.address, 128u);
  EXPECT_EQ(write.sectors, 8u);
}

TEST(ElasticMshrStoreBuffer, OnlyStoresThatAskAreAnswered) {
  StoreBuffer buffer(1, 32);
  mem::Request silent = storeOf(0, kAll, 1);
  silent.wantsResponse = false;
  buffer.add(silent, 2, {});
  buffer.add(storeOf(1, kAll, 2), 2, {});
  ASSERT_TRUE(buffer.hasClosed());
  EXPECT_TRUE(buffer.take().wantsResponse);
  EXPECT_TRUE(buffer.isFull());
  EXPECT_EQ(buffer.waiting(0), 1u);
  std::vector<u32> answered;
  buffer.acknowledged(0, [&](const mem::Request& store) { answered.push_back(store.id); });
  EXPECT_EQ(answered, (std::vector<u32>{2}));
  EXPECT_TRUE(buffer.empty());
}

TEST(ElasticMshrStoreBuffer, WhatNobodyAsksForIsFreeAtOnce) {
  StoreBuffer buffer(1, 32);
  mem::Request silent = storeOf(0, kAll);
  silent.wantsResponse = false;
  buffer.add(silent, 2, {});
  EXPECT_FALSE(buffer.empty());
  buffer.closeOldest();
  EXPECT_FALSE(buffer.take().wantsResponse);
  EXPECT_TRUE(buffer.empty());
}

TEST(ElasticMshrStoreBuffer, AClosedEntryTakesNoMore) {
  StoreBuffer buffer(2, 32);
  buffer.add(storeOf(0, kAll), 4, {});
  buffer.close(GlobalAddress(0));
  EXPECT_TRUE(buffer.has(GlobalAddress(3 * 32)));
  EXPECT_EQ(buffer.add(storeOf(1, kAll), 4, {}), StoreBuffer::Outcome::opened);
  EXPECT_EQ(buffer.add(storeOf(8, kAll), 4, {}), StoreBuffer::Outcome::full);
  buffer.take();
  buffer.close(GlobalAddress(32));
  buffer.take();
  EXPECT_FALSE(buffer.has(GlobalAddress(32))) << "sent";
}

TEST(ElasticMshrStoreBuffer, TheOldestIsThatOpenedFirst) {
  StoreBuffer buffer(3, 32);
  EXPECT_EQ(buffer.oldest(), std::nullopt);
  buffer.add(storeOf(0, kAll), 4, Cycle{5});
  buffer.add(storeOf(8, kAll), 4, Cycle{7});
  buffer.add(storeOf(1, kAll), 4, Cycle{9});
  EXPECT_EQ(buffer.oldest(), Cycle{5});
  buffer.closeOldest();
  EXPECT_EQ(buffer.oldest(), Cycle{7});
}

// Another entry's data travel otherwise: they cannot be part of a larger write.
TEST(ElasticMshrStoreBuffer, EncodedDataAreNotCombined) {
  mem::Request store = storeOf(0, kAll);
  EXPECT_TRUE(StoreBuffer::canCombine(store));
  store.pieces = 1;
  EXPECT_FALSE(StoreBuffer::canCombine(store));
}

}  // namespace
}  // namespace warpwright::mechanisms::elastic_mshr
