// What mechanisms attach to a launch before it begins, each under a type of its own: constant while the launch runs, and shared by all SMs.
#pragma once

#include <memory>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace warpwright::sm {

// Something for each instruction of the program, found by its pc.
template <class Note>
using PerInstruction = std::vector<Note>;

class LaunchNotes {
 public:
  // In place of what there is of this type.
  template <class Notes>
  void add(Notes notes) {
    notes_[typeid(Notes)] = std::make_shared<const Notes>(std::move(notes));
  }
  // Null: there is none. What asks for each instruction keeps the answer.
  template <class Notes>
  const Notes* find() const {
    const auto found = notes_.find(typeid(Notes));
    return found == notes_.end() ? nullptr : static_cast<const Notes*>(found->second.get());
  }

 private:
  std::unordered_map<std::type_index, std::shared_ptr<const void>> notes_;
};

}  // namespace warpwright::sm
