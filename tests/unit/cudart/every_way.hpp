// Calls a function with arguments made from the types of its parameters alone: every set of its pointers null, the others valid as far as
// a type can tell.
#pragma once

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace every_way {

// While it lives, a crash prints the name of the function that is called.
class NamedOnCrash {
 public:
  explicit NamedOnCrash(std::string_view name) : before_(std::signal(SIGSEGV, &print)) { name_ = name; }
  ~NamedOnCrash() { std::signal(SIGSEGV, before_); }
  NamedOnCrash(const NamedOnCrash&) = delete;
  NamedOnCrash& operator=(const NamedOnCrash&) = delete;

 private:
  static void print(int) {
    for (const std::string_view text : {std::string_view("crash in "), name_, std::string_view("\n")})
      if (write(STDERR_FILENO, text.data(), text.size()) < 0) break;
    std::signal(SIGSEGV, SIG_DFL);
  }
  inline static std::string_view name_;
  void (*before_)(int);
};

// What a pointer to anything leads to.
enum class Pointee { host, device, kernel };

struct Way {
  unsigned nulls = 0;  // by number of the pointer among the parameters
  bool ones = false;   // integers are 1 instead of 0
  Pointee pointee = Pointee::host;
};

// Zeros, enough of them for every structure of the API.
inline void* scratch() {
  alignas(64) static std::byte bytes[16384];
  return bytes;
}

// What the tests' fixture has made: device memory, and a kernel that takes arguments.
inline void* deviceMemory = nullptr;
inline const void* kernel = nullptr;

// Handles are specialised where they can be made.
template <typename T>
struct Sample {
  static T get(const Way& way) {
    if constexpr (std::is_pointer_v<T>) {
      if (std::is_void_v<std::remove_pointer_t<T>> && way.pointee == Pointee::device) return static_cast<T>(deviceMemory);
      if constexpr (std::is_same_v<T, const void*>)
        if (way.pointee == Pointee::kernel) return kernel;
      return static_cast<T>(scratch());
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(way.ones);
    } else {
      return T{};
    }
  }
};

template <typename Result, typename... Parameters>
struct Sample<Result (*)(Parameters...)> {
  static Result nothing(Parameters...) { return Result(); }
  static auto get(const Way&) { return &nothing; }
};

template <typename T>
T argument(const Way& way, unsigned& pointers) {
  if (!std::is_pointer_v<T>) return Sample<T>::get(way);
  const bool isNull = (way.nulls >> pointers++) & 1;
  return isNull ? T{} : Sample<T>::get(way);
}

template <typename Result, typename... Parameters>
void call(Result (*function)(Parameters...), const Way& way) {
  std::memset(scratch(), 0, 16384);
  [[maybe_unused]] unsigned pointers = 0;
  const std::tuple<Parameters...> arguments{argument<Parameters>(way, pointers)...};
  std::apply(function, arguments);
}

// `given`: before each call.
template <typename Result, typename... Parameters, typename Given>
void callEveryWay(Result (*function)(Parameters...), Given&& given) {
  constexpr unsigned kPointers = (0 + ... + static_cast<unsigned>(std::is_pointer_v<Parameters>));
  for (const Pointee pointee : {Pointee::host, Pointee::device, Pointee::kernel}) {
    for (const bool ones : {false, true}) {
      for (unsigned nulls = 0; nulls < 1u << kPointers; ++nulls) {
        given();
        call(function, {nulls, ones, pointee});
      }
    }
  }
}

}  // namespace every_way
