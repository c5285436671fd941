// One function a design; designs.cpp lists them.
#pragma once

#include "rtl/design.hpp"

namespace warpwright::rtl {

Design xorMapDesign();
Design samsAtuDesign();
Design samsAguDesign();
Design samsInboundDesign();
Design samsDesign();
Design localStoreDesign();
Design twoDsmmAguDesign();
Design twoDsmmAtuDesign();
Design twoDsmmRoutingInDesign();
Design twoDsmmRoutingOutDesign();
Design twoDsmmDesign();
Design bdiCompressorDesign();
Design bdiDecompressorDesign();
Design fpcCompressorDesign();
Design fpcDecompressorDesign();
Design cPackCompressorDesign();
Design cPackDecompressorDesign();
Design avcEncoderDesign();
Design avcDecoderDesign();
Design tagPropagationDesign();
Design conflictHistoryDesign();
Design conflictMaskDesign();
Design vectorMshrsDesign();
Design laneCacheDesign();
Design assistTableDesign();
Design pipelineQueuesDesign();

}  // namespace warpwright::rtl
