// What arrays hold, as text and as data.
#pragma once

#include "profile/data/array_data.hpp"
#include "profile/text_page.hpp"
#include "stats/json_type.hpp"

namespace warpwright::profile {

// Nothing for kernels whose data was not looked at.
void appendData(TextPage& page, const KernelData& data);
// An array of objects, one an array of the program.
stats::Json dataJson(const KernelData& data);

}  // namespace warpwright::profile
