#include "nvvm/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

namespace warpwright::nvvm {
namespace {

// As LLVM's back end for nvptx64 has it; NVVM's, in its longest form, says the same.
constexpr std::string_view kLayout = R"(target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64")";

// What LLVM 14 lacks, or has with other operands.
constexpr std::array<std::string_view, 7> kOwn = {
    "sqrt.f", "shfl.sync.i32", "vote.sync", "match.any.sync.i32", "match.any.sync.i64", "match.all.sync.i32", "match.all.sync.i64"};
constexpr std::string_view kPrefix = "llvm.nvvm.", kOwnPrefix = "__nvvm_";

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_'; }

void rename(std::string& text, std::string_view intrinsic) {
  const std::string name = std::string(kPrefix).append(intrinsic), own = std::string(kOwnPrefix).append(intrinsic);
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end == text.size() || !isNamePart(text[end])) text.replace(at, name.size(), own);
  }
}

// The name behind the first @ of the line; empty: there is none.
std::string nameIn(const std::string& line) {
  std::size_t begin = line.find('@');
  if (begin == std::string::npos || ++begin == line.size()) return {};
  const bool quoted = line[begin] == '"';
  if (quoted) ++begin;
  const std::size_t end = line.find(quoted ? '"' : '(', begin);
  return end == std::string::npos ? std::string() : line.substr(begin, end - begin);
}

constexpr const char* kIntrinsics = R"ir(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

define {i32, i1} @__nvvm_shfl.sync.i32(i32 %mask, i32 %mode, i32 %value, i32 %lane, i32 %clamp) convergent alwaysinline nounwind {
entry:
  switch i32 %mode, label %index [ i32 1, label %up  i32 2, label %down  i32 3, label %butterfly ]
index:
  %0 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 %mask, i32 %value, i32 %lane, i32 %clamp)
  ret {i32, i1} %0
up:
  %1 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 %mask, i32 %value, i32 %lane, i32 %clamp)
  ret {i32, i1} %1
down:
  %2 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 %mask, i32 %value, i32 %lane, i32 %clamp)
  ret {i32, i1} %2
butterfly:
  %3 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 %mask, i32 %value, i32 %lane, i32 %clamp)
  ret {i32, i1} %3
}

define {i32, i1} @__nvvm_vote.sync(i32 %mask, i32 %mode, i1 %predicate) convergent alwaysinline nounwind {
entry:
  switch i32 %mode, label %ballot [ i32 0, label %all  i32 1, label %any  i32 2, label %equal ]
all:
  %0 = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %predicate)
  %1 = insertvalue {i32, i1} zeroinitializer, i1 %0, 1
  ret {i32, i1} %1
any:
  %2 = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %predicate)
  %3 = insertvalue {i32, i1} zeroinitializer, i1 %2, 1
  ret {i32, i1} %3
equal:
  %4 = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %predicate)
  %5 = insertvalue {i32, i1} zeroinitializer, i1 %4, 1
  ret {i32, i1} %5
ballot:
  %6 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %predicate)
  %7 = insertvalue {i32, i1} zeroinitializer, i32 %6, 0
  ret {i32, i1} %7
}

define i32 @__nvvm_match.any.sync.i32(i32 %mask, i32 %value) convergent alwaysinline nounwind {
  %1 = call i32 asm sideeffect "match.any.sync.b32 $0, $1, $2;", "=r,r,r"(i32 %value, i32 %mask) convergent
  ret i32 %1
}

define i32 @__nvvm_match.any.sync.i64(i32 %mask, i64 %value) convergent alwaysinline nounwind {
  %1 = call i32 asm sideeffect "match.any.sync.b64 $0, $1, $2;", "=r,l,r"(i64 %value, i32 %mask) convergent
  ret i32 %1
}

define {i32, i1} @__nvvm_match.all.sync.i32(i32 %mask, i32 %value) convergent alwaysinline nounwind {
  %1 = call {i32, i32} asm sideeffect "{ .reg .pred %p; match.all.sync.b32 $0|%p, $2, $3; selp.u32 $1, 1, 0, %p; }", "=r,=r,r,r"(i32 %value, i32 %mask) convergent
  %2 = extractvalue {i32, i32} %1, 0
  %3 = extractvalue {i32, i32} %1, 1
  %4 = trunc i32 %3 to i1
  %5 = insertvalue {i32, i1} zeroinitializer, i32 %2, 0
  %6 = insertvalue {i32, i1} %5, i1 %4, 1
  ret {i32, i1} %6
}

define {i32, i1} @__nvvm_match.all.sync.i64(i32 %mask, i64 %value) convergent alwaysinline nounwind {
  %1 = call {i32, i32} asm sideeffect "{ .reg .pred %p; match.all.sync.b64 $0|%p, $2, $3; selp.u32 $1, 1, 0, %p; }", "=r,=r,l,r"(i64 %value, i32 %mask) convergent
  %2 = extractvalue {i32, i32} %1, 0
  %3 = extractvalue {i32, i32} %1, 1
  %4 = trunc i32 %3 to i1
  %5 = insertvalue {i32, i1} zeroinitializer, i32 %2, 0
  %6 = insertvalue {i32, i1} %5, i1 %4, 1
  ret {i32, i1} %6
}
)ir";

// The position behind the parenthesis that closes the one at `open`; npos: none does.
std::size_t behindParentheses(const std::string& line, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < line.size(); ++at) {
    if (line[at] == '(') ++depth;
    if (line[at] == ')' && --depth == 0) return at + 1;
  }
  return std::string::npos;
}

// "%a = call T* @llvm.nvvm.ptr.shared.to.gen.…(V)": "%a = addrspacecast V to T*". The intrinsic says nothing to LLVM, which would take
// every access for one to generic memory.
std::string withoutPointerIntrinsic(const std::string& line) {
  static constexpr std::string_view kCall = "call ";
  const std::size_t name = line.find("llvm.nvvm.ptr."), call = line.find(kCall);
  if (name == std::string::npos || call > name) return line;
  const std::size_t at = line.rfind('@', name), open = line.find('(', name);
  const std::size_t end = open == std::string::npos ? open : behindParentheses(line, open);
  const std::size_t begin = call >= 5 && line.compare(call - 5, 5, "tail ") == 0 ? call - 5 : call;
  if (end == std::string::npos) return line;
  const std::size_t metadata = std::min(line.find(", !", end), line.size());
  const std::string type = line.substr(call + kCall.size(), at - call - kCall.size());
  return line.substr(0, begin) + "addrspacecast " + line.substr(open + 1, end - open - 2) + " to " + type + line.substr(metadata);
}

// Inline PTX may ask which lanes are together: LLVM must not make one of two, on two sides of a branch. Some front ends begin a line with
// its arguments.
std::string withInlinePtxAlone(std::string text) {
  static constexpr std::string_view kCode = " asm ";
  for (std::size_t code = text.find(kCode); code != std::string::npos; code = text.find(kCode, code + kCode.size())) {
    std::size_t quote = text.find('"', code);
    // Code and constraints.
    for (int more = 3; more > 0 && quote != std::string::npos; --more) quote = text.find('"', quote + 1);
    const std::size_t open = quote == std::string::npos ? quote : text.find_first_not_of(" \n", quote + 1);
    if (open == std::string::npos || text[open] != '(') continue;
    if (const std::size_t end = behindParentheses(text, open); end != std::string::npos) text.insert(end, " nomerge convergent");
  }
  return text;
}

std::string withoutPointerIntrinsics(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += withoutPointerIntrinsic(line) + "\n";
  return result;
}

// LLVM's own root follows -ftz; of the approximate one there are two.
std::string_view squareRoot(const CompileOptions& options) {
  if (options.preciseSquareRoot) return "llvm.sqrt.f32";
  return options.flushDenormals ? "llvm.nvvm.sqrt.approx.ftz.f" : "llvm.nvvm.sqrt.approx.f";
}

}  // namespace

std::string translated(std::string text) {
  text = withInlinePtxAlone(withoutPointerIntrinsics(text));
  for (const std::string_view intrinsic : kOwn) rename(text, intrinsic);
  const std::size_t layout = text.find("target datalayout");
  if (layout == std::string::npos) return text;
  return text.replace(layout, std::min(text.find('\n', layout), text.size()) - layout, kLayout);
}

std::vector<std::string> functionsIn(const std::string& text) {
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("define ") && !line.starts_with("declare ")) continue;
    const std::string name = nameIn(line);
    if (!name.empty() && !name.starts_with("llvm.")) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string intrinsics(const CompileOptions& options) {
  return fmt::format(
      "{}\ndeclare float @{}(float)\ndefine float @__nvvm_sqrt.f(float %x) alwaysinline nounwind {{\n"
      "  %y = call float @{}(float %x)\n  ret float %y\n}}\n",
      kIntrinsics, squareRoot(options), squareRoot(options));
}

}  // namespace warpwright::nvvm
