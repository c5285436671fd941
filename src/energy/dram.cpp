#include "energy/dram.hpp"

#include <algorithm>

namespace warpwright::energy {
namespace {

constexpr double kMilli = 1e-3;

}  // namespace

DramEnergies dramEnergies(const DramCurrents& currents) {
  // A charge in mA ns is a picocoulomb. Data sheets round, so that a difference may come out below nothing.
  const auto energy = [&](double charge) {
    return scaled(exactly<Energy>(std::max(charge, 0.0) * kMilli * kNano * currents.volts), currents.uncertainty);
  };
  const auto power = [&](double current) { return scaled(exactly<Power>(current * kMilli * currents.volts), currents.uncertainty); };
  // While the row is open IDD3N would flow anyway, while it is closed IDD2N.
  const double activation = currents.idd0 * currents.tRC - currents.idd3n * currents.tRAS - currents.idd2n * (currents.tRC - currents.tRAS);
  const Energy interface = currents.bitsPerBurst * currents.interfacePerBit;
  return {.activate = energy(activation),
          .read = energy((currents.idd4r - currents.idd3n) * currents.burstNanoseconds) + interface,
          .write = energy((currents.idd4w - currents.idd3n) * currents.burstNanoseconds) + interface,
          .refresh = energy((currents.idd5 - currents.idd2n) * currents.tRFC),
          .open = power(currents.idd3n),
          .precharged = power(currents.idd2n)};
}

}  // namespace warpwright::energy
