// The rules of the verdict, by what they look at. Each adds limits, with whatever share they have.
#pragma once

#include <span>
#include <vector>

#include "machines/verdict/evidence.hpp"
#include "machines/verdict/verdict.hpp"

namespace warpwright::machines::verdict {

using Rule = void (*)(const Evidence& evidence, std::vector<Limit>& limits);

void launches(const Evidence& evidence, std::vector<Limit>& limits);  // rules_of_blocks.cpp
void smsWithoutWork(const Evidence& evidence, std::vector<Limit>& limits);
void schedulersWithoutWarps(const Evidence& evidence, std::vector<Limit>& limits);
void waitsForMemory(const Evidence& evidence, std::vector<Limit>& limits);  // rules_of_memory.cpp
void loadStoreUnit(const Evidence& evidence, std::vector<Limit>& limits);
void pipes(const Evidence& evidence, std::vector<Limit>& limits);  // rules_of_issue.cpp
void waitsForPipes(const Evidence& evidence, std::vector<Limit>& limits);
void issue(const Evidence& evidence, std::vector<Limit>& limits);
void barriers(const Evidence& evidence, std::vector<Limit>& limits);
void fetch(const Evidence& evidence, std::vector<Limit>& limits);

std::span<const Rule> rules();

// At most three lines, those that lost most of these slots; without lines in the timing, of those that the profile remarks by a rule.
std::vector<profile::SourceLine> linesThatLost(const Evidence& evidence, std::initializer_list<sm::Slot> slots);
std::vector<profile::SourceLine> linesRemarked(const Evidence& evidence, std::string_view remark);

}  // namespace warpwright::machines::verdict
