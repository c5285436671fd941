// What the parameters of API functions say of nodes, and the way back.
#pragma once

#include "cuda_graph_types.h"
#include "operation.hpp"

namespace warpwright::cudart {

// Each makes the operation that the parameters describe, checked as far as it can be before a launch.
cudaError_t describe(Context& context, const cudaKernelNodeParams* parameters, Operation& operation);
cudaError_t describe(Context& context, const cudaMemcpy3DParms* parameters, Operation& operation);
cudaError_t describe(Context& context, const cudaMemsetParams* parameters, Operation& operation);
cudaError_t describe(Context& context, const cudaHostNodeParams* parameters, Operation& operation);
cudaError_t describe(Context& context, const cudaGraphNodeParams* parameters, Operation& operation);
cudaError_t describe(Context& context, const Copy& copy, Operation& operation);
// A copy of the graph.
cudaError_t describe(Context& context, cudaGraph_t child, Operation& operation);
cudaError_t describe(Context& context, EventWait wait, Operation& operation);
cudaError_t describe(Context& context, EventRecord record, Operation& operation);

cudaMemcpy3DParms parametersOf(const Copy& copy);
cudaMemsetParams parametersOf(const Fill& fill);
// The arguments lie in the call.
cudaKernelNodeParams parametersOf(KernelCall& kernel);

}  // namespace warpwright::cudart
