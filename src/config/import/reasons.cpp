// Why options have no place in a machine file.
#include "config/import/options.hpp"

namespace warpwright::config {
namespace {

struct Reason {
  std::string_view start;  // of the option's name
  std::string_view text;
};

constexpr std::string_view kFunctional = "concerns how GPGPU-Sim reads and executes PTX, not the machine";
constexpr std::string_view kReporting = "concerns what GPGPU-Sim reports";
constexpr std::string_view kPower = "belongs to GPGPU-Sim's power model";
constexpr std::string_view kRuntimeLimit = "a limit of the CUDA runtime, not of the machine";
constexpr std::string_view kNetworkFile = "the network simulator's own file is not read; [network] keeps its defaults, a crossbar";
constexpr std::string_view kCarveOut = "L1 and shared memory have the sizes of their options; sm.memory.carve_outs are not made of these";
constexpr std::string_view kPages = "belongs to a variant of GPGPU-Sim with page faults; memory is all on the device here";

// The first that fits counts.
constexpr Reason kReasons[] = {
    {"gpgpu_ptx_", kFunctional},
    {"gpgpu_simd_model", "there is one way of reconvergence before Volta and one from it on (sm.reconvergence)"},
    {"gpgpu_stack_size_limit", kRuntimeLimit},
    {"gpgpu_heap_size_limit", kRuntimeLimit},
    {"gpgpu_runtime_sync_depth_limit", kRuntimeLimit},
    {"gpgpu_runtime_pending_launch_count_limit", kRuntimeLimit},
    {"gpgpu_max_concurrent_kernel", "kernels run together as long as they fit"},
    {"gpgpu_TB_launch_latency", "blocks start without further latency"},
    {"gpgpu_ignore_resources_limitation", "a block that does not fit an SM is an error, never run beyond its resources"},
    {"gpgpu_registers_per_block", "a block may use all registers of an SM"},
    {"gpgpu_occupancy_sm_number", "occupancy follows from the compute capability"},
    {"gpgpu_clock_gated_lanes", kPower},
    {"gpgpu_dual_issue_diff_exec_units", "two instructions that issue together may be of any kind"},
    {"gpgpu_sub_core_model", "pipes and collectors are shared by the schedulers of an SM"},
    {"gpgpu_operand_collector_num_in_ports", "operand collectors take what is issued"},
    {"gpgpu_operand_collector_num_out_ports", "operand collectors dispatch what the pipes take"},
    {"gpgpu_enable_specialized_operand_collector", "all kinds of instructions share the operand collectors"},
    {"gpgpu_shmem_warp_parts", "the coalescing rule says whether half-warps count"},
    {"gpgpu_adaptive_cache_config", kCarveOut},
    {"gpgpu_shmem_option", kCarveOut},
    {"gpgpu_unified_l1d_size", kCarveOut},
    {"gpgpu_shmem_sizeDefault", kCarveOut},
    {"gpgpu_shmem_size_PrefL1", kCarveOut},
    {"gpgpu_shmem_size_PrefShared", kCarveOut},
    {"gpgpu_cache:dl1Pref", kCarveOut},
    {"gpgpu_l1_cache_write_ratio", "written sectors stay as long as their line does"},
    {"gpgpu_flush_l1_cache", "the L1 is always emptied before a kernel"},
    {"gpgpu_flush_l2_cache", "the L2 is kept between kernels"},
    {"gpgpu_perfect_inst_const_cache", "instruction and constant caches are simulated"},
    {"gpgpu_perfect_mem", "memory is simulated"},
    {"gpgpu_cache:dl2_texture_only", "the L2 serves every space"},
    {"gpgpu_mem_address_mask", "the mapping of addresses is the machine's own (dram.interleave_bytes, dram.hash_channels)"},
    {"dram_bnk_indexing_policy", "the mapping of addresses is the machine's own"},
    {"dram_bnkgrp_indexing_policy", "the mapping of addresses is the machine's own"},
    {"dram_dual_bus_interface", "one command a tick and channel"},
    {"dram_seperate_write_queue_enable", "reads and writes share the request queue"},
    {"dram_write_queue_size", "reads and writes share the request queue"},
    {"inter_config_file", kNetworkFile},
    {"icnt_arbiter_algo", "arbitration is round-robin"},
    {"icnt_subnets", "there are two networks, one a direction"},
    {"icnt_verbose", kReporting},
    {"gpgpu_memlatency_stat", kReporting},
    {"gpgpu_runtime_stat", kReporting},
    {"enable_ptx_file_line_stats", kReporting},
    {"visualizer", kReporting},
    {"trace", kReporting},
    {"gpgpu_stats", kReporting},
    {"sim_prof_enable", kReporting},
    {"power", kPower},
    {"gpuwattch", kPower},
    {"accelwattch", kPower},
    {"dvfs", kPower},
    {"hw_perf", kPower},
    {"steady", kPower},
    {"gpgpu_deadlock_detect", "a simulation that makes no progress always ends with an error"},
    {"skip_cycles_enable", "concerns how fast the simulation runs, not the machine"},
    {"enable_accurate_simulation", kPages},
    {"enable_dma", kPages},
    {"enable_smart_runtime", kPages},
    {"eviction_policy", kPages},
    {"gddr_size", kPages},
    {"hardware_prefetch", kPages},
    {"hwprefetch_oversub", kPages},
    {"invalidate_clean", kPages},
    {"migrate_threshold", kPages},
    {"multiply_dma_penalty", kPages},
    {"page_", kPages},
    {"pcie_bandwidth", kPages},
    {"percentage_of_free_page_buffer", kPages},
    {"reserve_accessed_page_percent", kPages},
    {"tlb_size", kPages},
};

}  // namespace

std::string_view reasonFor(std::string_view name) {
  for (const Reason& reason : kReasons) {
    if (name.starts_with(reason.start)) return reason.text;
  }
  return "not known to the importer";
}

}  // namespace warpwright::config
