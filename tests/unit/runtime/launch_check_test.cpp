#include "runtime/launch_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

namespace warpwright::runtime {
namespace {

config::Machine checkedMachine() {
  config::Machine m;
  m.multiprocessors = 2;
  m.threadsPerBlock = 512;
  m.blocksPerSm = 4;
  m.warpsPerSm = 32;
  m.registersPerSm = 16384;
  m.registerAllocationUnit = 64;
  m.sharedBytesPerSm = m.sharedBytesPerBlock = m.sharedBytesPerBlockOptin = 16384;
  return m;
}

isa::Function kernel() {
  isa::Function function;
  function.name = "work";
  function.isKernel = true;
  function.registers = 16;
  return function;
}

LaunchFault faultOf(const isa::Function& function, const exec::LaunchShape& shape) {
  return checkLaunch(checkedMachine(), function, shape).fault;
}

TEST(LaunchCheck, AcceptsWhatFits) { EXPECT_EQ(faultOf(kernel(), {{1000, 1, 1}, {16, 8, 4}}), LaunchFault::none); }

TEST(LaunchCheck, RefusesEmptyAndTooLargeExtents) {
  EXPECT_EQ(faultOf(kernel(), {{0, 1, 1}, {32, 1, 1}}), LaunchFault::configuration);
  EXPECT_EQ(faultOf(kernel(), {{1, 1, 1}, {0, 1, 1}}), LaunchFault::configuration);
  EXPECT_EQ(faultOf(kernel(), {{1, 65536, 1}, {32, 1, 1}}), LaunchFault::configuration);
  EXPECT_EQ(faultOf(kernel(), {{1, 65535, 1}, {32, 1, 1}}), LaunchFault::none);
  EXPECT_EQ(faultOf(kernel(), {{1, 1, 1}, {513, 1, 1}}), LaunchFault::configuration);
  EXPECT_EQ(faultOf(kernel(), {{1, 1, 1}, {1, 1, 65}}), LaunchFault::configuration);
  EXPECT_EQ(faultOf(kernel(), {{1, 1, 1}, {1u << 16, 1u << 16, 1}}), LaunchFault::configuration);
}

TEST(LaunchCheck, KeepsLaunchBounds) {
  isa::Function bounded = kernel();
  bounded.maxThreads = {64, 2, 1};
  EXPECT_EQ(faultOf(bounded, {{1, 1, 1}, {128, 1, 1}}), LaunchFault::none);
  EXPECT_EQ(faultOf(bounded, {{1, 1, 1}, {129, 1, 1}}), LaunchFault::configuration);
  bounded.requiredThreads = {64, 1, 1};
  EXPECT_EQ(faultOf(bounded, {{1, 1, 1}, {32, 2, 1}}), LaunchFault::configuration);
}

TEST(LaunchCheck, CountsStaticAndDynamicSharedMemory) {
  isa::Function sharing = kernel();
  sharing.sharedBytes = 1000;
  sharing.dynamicSharedOffset = 1024;
  EXPECT_EQ(faultOf(sharing, {{1, 1, 1}, {32, 1, 1}, 16384 - 1024}), LaunchFault::none);
  EXPECT_EQ(faultOf(sharing, {{1, 1, 1}, {32, 1, 1}, 16384 - 1023}), LaunchFault::sharedMemory);
}

// 512 threads of 40 registers: 16 warps of 1280 registers, 20480 of 16384.
TEST(LaunchCheck, SaysWhichResourceIsShort) {
  isa::Function hungry = kernel();
  hungry.registers = 40;
  const LaunchProblem problem = checkLaunch(checkedMachine(), hungry, {{1, 1, 1}, {512, 1, 1}});
  EXPECT_EQ(problem.fault, LaunchFault::resources);
  EXPECT_NE(problem.message.find("registers"), std::string::npos);
  EXPECT_NE(problem.message.find("work"), std::string::npos);
}

// 4 blocks on each of 2 SMs.
TEST(LaunchCheck, CooperativeGridsMustBeResident) {
  EXPECT_EQ(faultOf(kernel(), {{8, 1, 1}, {32, 1, 1}, 0, true}), LaunchFault::none);
  EXPECT_EQ(faultOf(kernel(), {{9, 1, 1}, {32, 1, 1}, 0, true}), LaunchFault::cooperative);
  EXPECT_EQ(faultOf(kernel(), {{9, 1, 1}, {32, 1, 1}, 0, false}), LaunchFault::none);
}

TEST(LaunchCheck, NamesKernelsAsTheSourceDoes) {
  isa::Function function = kernel();
  function.name = "_Z5scalePj";
  exec::LaunchShape large{{1000, 1, 1}, {512, 1, 1}};
  large.cooperative = true;
  for (const exec::LaunchShape& shape : {exec::LaunchShape{{0, 1, 1}, {32, 1, 1}}, exec::LaunchShape{{1, 1, 1}, {513, 1, 1}},
                                         exec::LaunchShape{{1, 1, 1}, {32, 1, 1}, 20000}, large}) {
    const LaunchProblem problem = checkLaunch(checkedMachine(), function, shape);
    EXPECT_NE(problem.message.find("kernel 'scale(unsigned int*)'"), std::string::npos) << problem.message;
  }
}

// 512 threads of 16 registers fill half the SM; with 16 more each, all of it; with one more than that, no block fits.
TEST(LaunchCheck, CountsWhatMechanismsAdd) {
  const exec::LaunchShape shape{{1, 1, 1}, {512, 1, 1}};
  EXPECT_EQ(checkLaunch(checkedMachine(), kernel(), shape, {16, 0}).fault, LaunchFault::none);
  EXPECT_EQ(checkLaunch(checkedMachine(), kernel(), shape, {17, 0}).fault, LaunchFault::resources);
  EXPECT_EQ(checkLaunch(checkedMachine(), kernel(), shape, {0, 16384}).fault, LaunchFault::none);
  const LaunchProblem shared = checkLaunch(checkedMachine(), kernel(), shape, {0, 16385});
  EXPECT_EQ(shared.fault, LaunchFault::sharedMemory);
  EXPECT_NE(shared.message.find("16385 of mechanisms"), std::string::npos) << shared.message;
}

// What mechanisms add is named by no instruction of the kernel: it may be more than a thread can name, and not more than the SM has.
TEST(LaunchCheck, RefusesMoreRegistersOfMechanismsThanThereAre) {
  isa::Function large = kernel();
  large.registers = 60;
  config::Machine few = checkedMachine();
  few.registersPerThread = 63;
  const u32 most = few.registersPerSm / few.schedulersPerSm / few.warpSize;
  EXPECT_EQ(checkLaunch(few, large, {{1, 1, 1}, {32, 1, 1}}, {most - 60, 0}).fault, LaunchFault::none);
  const LaunchProblem problem = checkLaunch(few, large, {{1, 1, 1}, {32, 1, 1}}, {most - 59, 0});
  EXPECT_EQ(problem.fault, LaunchFault::resources);
  EXPECT_NE(problem.message.find(fmt::format("({} of them for mechanisms)", most - 59)), std::string::npos) << problem.message;
}

// Four SMs of four blocks, of which clusters may be on two.
LaunchFault clusterFault(const isa::Function& function, Dim3 grid, std::optional<Dim3> cluster, u32 together = 2) {
  config::Machine m = checkedMachine();
  m.multiprocessors = 4;
  m.clusterMultiprocessors = together;
  exec::LaunchShape shape{grid, {32, 1, 1}};
  shape.cluster = cluster;
  return checkLaunch(m, function, shape).fault;
}

TEST(LaunchCheck, ClustersDivideTheGrid) {
  EXPECT_EQ(clusterFault(kernel(), {8, 6, 1}, Dim3{4, 2, 1}), LaunchFault::none);
  EXPECT_EQ(clusterFault(kernel(), {8, 5, 1}, Dim3{4, 2, 1}), LaunchFault::cluster);
  EXPECT_EQ(clusterFault(kernel(), {8, 6, 1}, Dim3{4, 0, 1}), LaunchFault::cluster);
}

TEST(LaunchCheck, ClustersFitOnTheSmsOfAGroup) {
  EXPECT_EQ(clusterFault(kernel(), {8, 1, 1}, Dim3{8, 1, 1}), LaunchFault::none);
  EXPECT_EQ(clusterFault(kernel(), {16, 1, 1}, Dim3{16, 1, 1}), LaunchFault::cluster);
  EXPECT_EQ(clusterFault(kernel(), {16, 1, 1}, Dim3{16, 1, 1}, 4), LaunchFault::none);
  EXPECT_EQ(clusterFault(kernel(), {32, 1, 1}, Dim3{32, 1, 1}, 4), LaunchFault::cluster);
  EXPECT_EQ(clusterFault(kernel(), {8, 1, 1}, Dim3{8, 1, 1}, 0), LaunchFault::noClusters);
  EXPECT_EQ(clusterFault(kernel(), {8, 1, 1}, Dim3{1, 1, 1}, 0), LaunchFault::none);
}

TEST(LaunchCheck, ClustersAreWhatTheKernelWasCompiledFor) {
  isa::Function required = kernel();
  required.requiredCluster = {2, 1, 1};
  EXPECT_EQ(clusterFault(required, {8, 1, 1}, std::nullopt), LaunchFault::none);
  EXPECT_EQ(clusterFault(required, {7, 1, 1}, std::nullopt), LaunchFault::cluster);
  EXPECT_EQ(clusterFault(required, {8, 1, 1}, Dim3{4, 1, 1}), LaunchFault::cluster);
  isa::Function isExplicit = kernel();
  isExplicit.explicitCluster = true;
  EXPECT_EQ(clusterFault(isExplicit, {8, 1, 1}, std::nullopt), LaunchFault::cluster);
  EXPECT_EQ(clusterFault(isExplicit, {8, 1, 1}, Dim3{2, 1, 1}), LaunchFault::none);
  isa::Function bounded = kernel();
  bounded.maxClusterRank = 4;
  EXPECT_EQ(clusterFault(bounded, {8, 1, 1}, Dim3{4, 1, 1}), LaunchFault::none);
  EXPECT_EQ(clusterFault(bounded, {8, 1, 1}, Dim3{8, 1, 1}), LaunchFault::cluster);
}

TEST(LaunchCheck, ACooperativeGridIsResidentInWholeClusters) {
  config::Machine m = checkedMachine();
  m.multiprocessors = 4;
  m.clusterMultiprocessors = 2;
  exec::LaunchShape shape{{12, 1, 1}, {32, 1, 1}, 0, true};
  shape.cluster = Dim3{6, 1, 1};
  EXPECT_EQ(checkLaunch(m, kernel(), shape).fault, LaunchFault::none);
  shape.grid.x = 18;
  EXPECT_EQ(checkLaunch(m, kernel(), shape).fault, LaunchFault::cooperative) << "two clusters of six in two groups of eight blocks";
}

}  // namespace
}  // namespace warpwright::runtime
