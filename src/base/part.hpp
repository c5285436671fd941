// A part of a machine where machines differ. It is replaced by one mechanism at most, and wrapped by as many as there are.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright {

// Throws Error.
[[noreturn]] void refuseReplacement(std::string_view part, std::string_view first, std::string_view second);

template <class Made, class... Context>
class Part {
 public:
  using Make = std::function<std::unique_ptr<Made>(Context... context)>;
  using Wrap = std::function<std::unique_ptr<Made>(std::unique_ptr<Made> inner, Context... context)>;

  // name: for messages, as in "the pipeline". baseline: what a machine without mechanisms has; empty: nothing.
  explicit Part(std::string_view name, Make baseline = {}) : name_(name), make_(std::move(baseline)) {}

  // by: the mechanism. Throws Error naming both when another one has put something else there already.
  void replace(std::string_view by, Make make) {
    if (!replacedBy_.empty()) refuseReplacement(name_, replacedBy_, by);
    replacedBy_ = by;
    make_ = std::move(make);
  }
  // Around what the machine or the mechanism that replaces it has put there, also one that does so later; wrappers lie around one another
  // in the order of the calls. `inner` is null where there is nothing.
  void wrap(Wrap wrap) { wraps_.push_back(std::move(wrap)); }

  std::unique_ptr<Made> make(Context... context) const {
    std::unique_ptr<Made> made = make_ ? make_(context...) : nullptr;
    for (const Wrap& wrap : wraps_) made = wrap(std::move(made), context...);
    return made;
  }

 private:
  std::string_view name_;
  std::string replacedBy_;
  Make make_;
  std::vector<Wrap> wraps_;
};

}  // namespace warpwright
