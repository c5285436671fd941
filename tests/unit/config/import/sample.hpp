// A small option file with the public figures of a GTX 480, in both spellings of caches and timings.
#pragma once

namespace warpwright::config {

inline constexpr const char* kGtx480 = R"(# a GPU with 15 SMs
-gpgpu_n_clusters 15
-gpgpu_n_cores_per_cluster 1
-gpgpu_compute_capability_major 2
-gpgpu_compute_capability_minor 0
-gpgpu_clock_domains 700.0:700.0:700.0:924.0   # core, network, L2, DRAM
-gpgpu_shader_core_pipeline 1536:32
-gpgpu_shader_cta 8
-gpgpu_shader_registers 32768
-gpgpu_shmem_size 49152
-gpgpu_shmem_num_banks 32
-gpgpu_num_sched_per_core 2
-gpgpu_scheduler gto
-gpgpu_max_insn_issue_per_warp 1
-gpgpu_num_sp_units 2
-gpgpu_num_sfu_units 1
-gpgpu_num_dp_units 0
-gpgpu_num_int_units 0
-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0,1,1,2
-gpgpu_operand_collector_num_units_sp 6
-gpgpu_operand_collector_num_units_sfu 8
-gpgpu_num_reg_banks 16
-gpgpu_reg_file_port_throughput 2
-ptx_opcode_latency_int 4,13,4,5,145,32
-ptx_opcode_initiation_int 1,2,2,1,8,4
-ptx_opcode_latency_fp 4,13,4,5,39
-ptx_opcode_initiation_fp 1,2,1,1,4
-ptx_opcode_latency_dp 8,19,8,8,330
-ptx_opcode_initiation_dp 8,16,8,8,130
-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8
-gpgpu_l1_latency 35
-gpgpu_smem_latency 26
-gpgpu_gmem_skip_L1D 0
-gpgpu_coalesce_arch 20
-gpgpu_cache:il1 4:128:4,L:R:f:N,A:2:32,4
-gpgpu_const_cache:l1 64:64:2,L:R:f:N,A:2:32,4
-gpgpu_tex_cache:l1 4:128:24,L:R:m:N,F:128:4,128:2
-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:4,4:0,32
-gpgpu_dram_partition_queues 64:48:32:16
-gpgpu_n_mem 6
-gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_l2_rop_latency 120
-dram_latency 100
-icnt_flit_size 40
-network_mode 1
-inter_config_file fermi.icnt
-gpgpu_dram_scheduler 1
-gpgpu_frfcfs_dram_sched_queue_size 64
-gpgpu_dram_return_queue_size 116
-gpgpu_n_mem_per_ctrlr 2
-gpgpu_dram_buswidth 4
-gpgpu_dram_burst_length 8
-dram_data_command_freq_ratio 4
-gpgpu_mem_addr_mapping dramid@8;0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS
-gpgpu_dram_timing_opt "nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:
                        CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2"
-gpgpu_runtime_stat 500
-gpgpu_made_up 7
)";

}  // namespace warpwright::config
