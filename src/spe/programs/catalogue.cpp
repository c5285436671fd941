#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "spe/programs/complex_multiplication.hpp"
#include "spe/programs/fluidanimate.hpp"
#include "spe/programs/streamcluster.hpp"
#include "spe/programs/transpose.hpp"
#include "spe/programs/vector_matrix.hpp"
#include "spe/programs/wilson_dirac.hpp"

namespace warpwright::spe {
namespace {

constexpr std::array kPrograms{
    Program{"complex-multiplication", "products of 10,000 pairs of complex numbers", complex_multiplication::kIterations,
            complex_multiplication::run, complex_multiplication::expected},
    Program{"vector-matrix", "products of 2,000 rows and 3 x 3 matrices", vector_matrix::kIterations, vector_matrix::run,
            vector_matrix::expected},
    Program{"wilson-dirac", "the Wilson-Dirac operator at 128 sites of a lattice", wilson_dirac::kIterations, wilson_dirac::run,
            wilson_dirac::expected},
    Program{"fluidanimate", "a time step of a fluid in 9 x 9 x 30 cells of particles", fluidanimate::kIterations, fluidanimate::run,
            fluidanimate::expected},
    Program{"streamcluster", "k-median clustering of a stream of 1,024 points, 256 at a time", streamcluster::kIterations,
            streamcluster::run, streamcluster::expected},
    Program{"transpose", "10,000 transposes of 4 x 4 matrices", transpose::kIterations, transpose::run, transpose::expected},
};

}  // namespace

std::span<const Program> programs() { return kPrograms; }

const Program& programOf(const std::string& name) {
  const auto found = std::ranges::find(kPrograms, name, &Program::name);
  if (found != kPrograms.end()) return *found;
  std::vector<std::string> known;
  for (const Program& each : kPrograms) known.emplace_back(each.name);
  throw unknownName("program for the SPE", name, known, {}, "`warpwright spe list` names them");
}

}  // namespace warpwright::spe
