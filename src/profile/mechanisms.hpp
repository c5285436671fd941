// What mechanisms counted, as a part of a report.
#pragma once

#include "profile/text_page.hpp"
#include "stats/named_statistics.hpp"

namespace warpwright::profile {

// A heading for each mechanism, and below it a row for each of its numbers. Nothing for none.
void appendMechanisms(TextPage& page, const stats::NamedStatistics& mechanisms);

}  // namespace warpwright::profile
