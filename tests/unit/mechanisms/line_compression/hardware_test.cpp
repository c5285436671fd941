#include "mechanisms/line_compression/hardware.hpp"

#include <gtest/gtest.h>

namespace warpwright::mechanisms::line_compression {
namespace {

double numberOf(const Hardware& hardware, std::string_view name) {
  for (const HardwareNumber& each : hardware.numbers)
    if (each.name == name) return each.value;
  ADD_FAILURE() << name;
  return 0;
}

// The paper: 8 KB beside each channel; two bits a line.
TEST(CompressionHardware, IsMetadataAndLinesThatWait) {
  const config::Machine machine = config::loadMachine("fermi-caba");
  const Hardware memory = hardware(Settings{}, machine);
  EXPECT_EQ(numberOf(memory, "metadata_cache_bits"), 8192 * 8);
  EXPECT_EQ(numberOf(memory, "metadata_line_bits"), 2);
  EXPECT_EQ(numberOf(memory, "waiting_bits"), 32 * 128 * 8);
  EXPECT_EQ(numberOf(memory, "store_buffer_bits"), 0) << "of partitions alone";
  EXPECT_EQ(memory.arrays.ofOne.size(), 3 * machine.dram.channels);

  Settings network;
  network.reach = Reach::network;
  const Hardware sms = hardware(network, machine);
  EXPECT_EQ(numberOf(sms, "store_buffer_bits"), 16 * 128 * 8);
  EXPECT_EQ(numberOf(sms, "arrival_buffer_bits"), 16 * 128 * 8);
  EXPECT_EQ(sms.arrays.ofOne.size(), 3 * machine.dram.channels + 3 * machine.multiprocessors);
  EXPECT_EQ(numberOf(sms, "partial_store_bits"), 64 * (128 * 8 + 128 + 24)) << "1.5 GiB have fewer than 2^24 lines";
  network.by = By::routines;
  EXPECT_EQ(numberOf(hardware(network, machine), "store_buffer_bits"), 0) << "in shared memory";
  network.storeBuffer = StoreBuffer::own;
  EXPECT_EQ(numberOf(hardware(network, machine), "store_buffer_bits"), 16 * 128 * 8);
  EXPECT_EQ(numberOf(hardware(network, machine), "arrival_buffer_bits"), 0) << "routines have lines in buffers of their own";
  network.firstLevel = FirstLevel::compressed;
  network.firstLevelTags = 2;
  EXPECT_GT(hardware(network, machine).arrays.ofOne.size(), hardware(Settings{}, machine).arrays.ofOne.size() + machine.multiprocessors);
  network.metadataBytes = 0;
  EXPECT_EQ(numberOf(hardware(network, machine), "metadata_tag_bits"), 0);
}

}  // namespace
}  // namespace warpwright::mechanisms::line_compression
