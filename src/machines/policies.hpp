// For programs that speak of machines and simulate none: nothing else would make them have the policies.
#pragma once

namespace warpwright::machines {

// Machine files then know every policy of the simulator. Programs that simulate have them without it.
void installPolicies();

}  // namespace warpwright::machines
