// Tables as text, CSV and JSON.
#pragma once

#include <string>

#include "lab/analysis/table.hpp"

namespace warpwright::lab {

std::string asText(const Table& table);
std::string asCsv(const Table& table);   // rows, without the means
std::string asJson(const Table& table);  // rows and means

}  // namespace warpwright::lab
