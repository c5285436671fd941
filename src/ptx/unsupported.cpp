// The one message for an instruction that the grammar does not have.
#include <unordered_map>
#include <unordered_set>

#include "ptx/instruction_parser.hpp"

namespace warpwright::ptx {
namespace {

// A function body as a range of tokens.
struct Body {
  std::string_view name;
  bool isKernel = false;
  std::size_t begin = 0, end = 0;
  bool contains = false;
};

// Finds the bodies without trusting the text: what cannot be read as a function is passed over.
std::vector<Body> findBodies(const std::vector<Token>& tokens) {
  std::vector<Body> bodies;
  Body current;
  u32 braces = 0, parentheses = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("{") && braces++ == 0) current.begin = i;
    if (token.is("}") && braces > 0 && --braces == 0 && !current.name.empty()) {
      current.end = i;
      bodies.push_back(current);
      current = {};
    }
    if (braces > 0) continue;
    if (token.is("(")) ++parentheses;
    if (token.is(")") && parentheses > 0) --parentheses;
    if (token.is(".entry") || token.is(".func")) current = {{}, token.is(".entry"), 0, 0, false};
    if (token.kind == Token::Kind::word && parentheses == 0 && current.name.empty()) current.name = token.text;
    if (token.is(";")) current = {};
  }
  return bodies;
}

// Marks the functions that hold the word, and those that name one that does, until nothing changes.
void markContaining(std::vector<Body>& bodies, const std::vector<Token>& tokens, std::string_view word) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> callers;
  std::unordered_set<std::string_view> names;
  for (const Body& body : bodies) names.insert(body.name);
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < bodies.size(); ++index) {
    for (std::size_t i = bodies[index].begin; i < bodies[index].end; ++i) {
      if (tokens[i].is(word) && !bodies[index].contains) {
        bodies[index].contains = true;
        found.push_back(index);
      }
      if (names.contains(tokens[i].text)) callers[tokens[i].text].push_back(index);
    }
  }
  while (!found.empty()) {
    const std::size_t index = found.back();
    found.pop_back();
    for (const std::size_t caller : callers[bodies[index].name]) {
      if (bodies[caller].contains) continue;
      bodies[caller].contains = true;
      found.push_back(caller);
    }
  }
}

std::string quotedList(const std::vector<std::string_view>& names) {
  std::string result;
  for (const std::string_view name : names) result += (result.empty() ? "'" : ", '") + std::string(name) + "'";
  return result;
}

// "kernels 'a', 'b'": those that contain the word or call a function that does.
std::string containing(const Context& context, std::string_view word) {
  const std::vector<Token>& tokens = context.cursor.tokens();
  std::vector<Body> bodies = findBodies(tokens);
  markContaining(bodies, tokens, word);
  std::vector<std::string_view> kernels;
  for (const Body& body : bodies)
    if (body.contains && body.isKernel) kernels.push_back(body.name);
  std::string here = "function '" + context.function->function().name + "'";
  if (kernels.empty()) return here;
  const std::string list = (kernels.size() == 1 ? "kernel " : "kernels ") + quotedList(kernels);
  return context.function->function().isKernel ? list : here + ", used by " + list;
}

// The instruction as written, cut where malformed text goes on too long.
std::string asWritten(const Context& context, const Token& first) {
  constexpr std::size_t kMostTokens = 64;
  std::size_t ahead = 0;
  while (ahead < kMostTokens && !context.cursor.peek(ahead).is(";") && context.cursor.peek(ahead).kind != Token::Kind::end) ++ahead;
  std::string text = plainText(first, context.cursor.peek(ahead));
  constexpr std::size_t kMostLetters = 300;
  if (text.size() > kMostLetters) text = text.substr(0, kMostLetters) + "…";
  return text;
}

// Families of PTX that have no row at all: a near form would only mislead.
struct Family {
  std::string_view prefix, remedy;
};
constexpr Family kFamilies[] = {
    {"alloca", "the stack of a thread does not grow while it runs: use an array of fixed size"},
    {"stacksave", "the stack of a thread does not grow while it runs: use an array of fixed size"},
    {"stackrestore", "the stack of a thread does not grow while it runs: use an array of fixed size"},
    {"multimem", "multicast memory of several devices is not supported: use ordinary loads and stores"},
    {"clusterlaunchcontrol", "the control of cluster launches is not supported: build for an architecture before sm_100"},
    {"tcgen05", "fifth-generation tensor instructions are not supported: build for an architecture before sm_100a"},
};

std::string remedyFor(std::string_view word) {
  const std::vector<std::string_view> parts = splitWord(word);
  for (const Family& family : kFamilies)
    if (family.prefix == parts[0]) return std::string(family.remedy);
  if (parts[0] == "cp" && word.find("im2col") != word.npos)
    return "the im2col modes of tensor copies are not supported: copy in .tile mode, with the window's offset in the coordinates";
  if (parts[0] == "cp" && (word.find("cp_mask") != word.npos || word.find("cta_group") != word.npos || word.find("tile::") != word.npos))
    return "bulk copies of compute capability 10.0 are not supported: build for sm_90";
  if (parts[0] == "mma" && parts.size() > 1 && parts[1].starts_with("sp"))
    return "multiplication of sparse matrices is not supported: use mma.sync with the matrix written out";
  if (parts[0] == "wgmma" && parts.size() > 2 && parts[2] == "sp")
    return "multiplication of sparse matrices is not supported: use wgmma.mma_async with the matrix written out";
  if (parts[0] == "mma" && (word.find("kind::") != word.npos || word.find("block_scale") != word.npos))
    return "matrix multiplication with block scaling is not supported: build for an architecture before sm_100a";
  if (parts[0] == "st" && parts.size() > 1 && parts[1] == "bulk")
    return "bulk stores are not supported: build for an architecture before sm_100";
  const std::string near = nearestForm(word);
  return near.empty() ? "rebuild the program for the forms listed in docs/ptx-forms.md" : "the nearest supported form is " + near;
}

}  // namespace

void failUnsupported(const Context& context, const Token& first, const Token& word) {
  const bool known = opcodeNamed(splitWord(word.text)[0]).has_value();
  throw Error(std::string(known ? "unsupported form " : "unsupported instruction ") + Cursor::describe(word) + " in " +
                  containing(context, word.text) + ": " + asWritten(context, first),
              {context.cursor.sourceName(), word.line, word.column}, remedyFor(word.text));
}

}  // namespace warpwright::ptx
