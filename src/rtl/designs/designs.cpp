#include "rtl/designs/catalogue.hpp"

namespace warpwright::rtl {

std::span<const Design> designs() {
  static const std::vector<Design> kDesigns = {
      xorMapDesign(),          samsAtuDesign(),           samsAguDesign(),         samsInboundDesign(),      samsDesign(),
      localStoreDesign(),      twoDsmmAguDesign(),        twoDsmmAtuDesign(),      twoDsmmRoutingInDesign(), twoDsmmRoutingOutDesign(),
      twoDsmmDesign(),         bdiCompressorDesign(),     bdiDecompressorDesign(), fpcCompressorDesign(),    fpcDecompressorDesign(),
      cPackCompressorDesign(), cPackDecompressorDesign(), avcEncoderDesign(),      avcDecoderDesign(),       tagPropagationDesign(),
      conflictHistoryDesign(), conflictMaskDesign(),      vectorMshrsDesign(),     laneCacheDesign(),        assistTableDesign(),
      pipelineQueuesDesign()};
  return kDesigns;
}

}  // namespace warpwright::rtl
