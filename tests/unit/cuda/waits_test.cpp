// What the host waits for in each function of the driver API, as the table says: while a kernel waits for the host, calls that do not wait
// for it leave it where it is. How long the others wait is the runtime's doing, whose tests try each.
#include "driver_table.hpp"
#include "every_function.hpp"

namespace {

using namespace warpwright;

constexpr char kWaiter[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry wait(.param .u64 flag)
{
  .reg .u64 %d<1>;
  .reg .u32 %r<1>;
  .reg .pred %p<1>;
  ld.param.u64 %d0, [flag];
again:
  ld.volatile.global.u32 %r0, [%d0];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra again;
  ret;
}
)";

cudart::Waits waitsOf(std::string_view name) {
  for (const cudart::ApiFunction& function : cuda::kDriverFunctions)
    if (function.name == name) return function.waits;
  ADD_FAILURE() << name;
  return cudart::Waits::no;
}

class DriverWaitsTest : public EveryDriverFunctionTest {
 protected:
  void SetUp() override {
    EveryDriverFunctionTest::SetUp();
    CUmodule module = nullptr;
    ASSERT_EQ(cuModuleLoadData(&module, kWaiter), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&wait_, module, "wait"), CUDA_SUCCESS);
    ASSERT_EQ(cuMemHostAlloc(&flag_, sizeof(unsigned), 0), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&busy_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  }
  void raise(unsigned value) { *static_cast<volatile unsigned*>(flag_) = value; }

  CUfunction wait_ = nullptr;
  void* flag_ = nullptr;
  CUstream busy_ = nullptr;
};

TEST_F(DriverWaitsTest, CallsThatWaitForNothingLeaveKernelsWhereTheyAre) {
  for (const Function& function : kFunctions) {
    if (waitsOf(function.name) == cudart::Waits::device) continue;
    SCOPED_TRACE(function.name);
    makeHandles();
    raise(0);
    void* arguments[] = {&flag_};
    ASSERT_EQ(cuLaunchKernel(wait_, 1, 1, 1, 1, 1, 1, 0, busy_, arguments, nullptr), CUDA_SUCCESS);
    function.callEveryWay([] { cuCtxSetCurrent(every_way::context); });
    cuCtxSetCurrent(context_);
    endCaptures();
    EXPECT_EQ(cuStreamQuery(busy_), CUDA_ERROR_NOT_READY);
    raise(1);
    EXPECT_EQ(cuStreamSynchronize(busy_), CUDA_SUCCESS);
    destroyHandles();
    if (HasFailure()) return;
  }
}

TEST_F(DriverWaitsTest, CallsThatWaitFindThatTheKernelHangs) {
  void* arguments[] = {&flag_};
  raise(0);
  ASSERT_EQ(cuLaunchKernel(wait_, 1, 1, 1, 1, 1, 1, 0, busy_, arguments, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
}

}  // namespace
