#include "spe/programs/streamcluster.hpp"

#include "spe/programs/streamcluster_reference.hpp"
#include "spe/programs/streamcluster_search.hpp"
#include "spe/programs/streamcluster_spu.hpp"

namespace warpwright::spe::streamcluster {

Result run(Spu& spu) {
  OnSpu engine(spu);
  return clustered(engine);
}

Result expected() {
  Reference engine;
  return clustered(engine);
}

}  // namespace warpwright::spe::streamcluster
