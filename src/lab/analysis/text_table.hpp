// Columns of text, as wide as what they hold.
#pragma once

#include <string>
#include <vector>

namespace warpwright::lab {

// The first row names the columns. Columns from `numbers` on are set flush right.
std::string alignedText(const std::vector<std::vector<std::string>>& rows, std::size_t numbers);

}  // namespace warpwright::lab
