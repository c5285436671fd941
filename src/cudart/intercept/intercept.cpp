// Takes the place of NVIDIA's runtime in a program that it is linked into, as nvcc does by default.
//
// `warpwright run` preloads this library. Before the program's own start-up code runs, the first instructions of each function of the
// runtime become a jump to Warpwright's function of that name. The functions are found by the program's symbol table, so that a program
// which was stripped cannot be served.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

namespace {

// The library that stands in for the runtime of the program's release: a path. What `warpwright run` sets it to.
constexpr const char* kStandIn = "WARPWRIGHT_STATIC_RUNTIME";

[[noreturn]] void fail(const char* what, const char* why) {
  std::fprintf(stderr, "warpwright: error: %s: %s\n  remedy: link the program with nvcc -cudart shared\n", what, why);
  std::_Exit(126);
}

// The program's file, mapped for reading.
std::span<const std::byte> programFile() {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) return {};
  void* const bytes = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED) return {};
  return {static_cast<const std::byte*>(bytes), static_cast<size_t>(status.st_size)};
}

template <typename T>
std::span<const T> tableAt(std::span<const std::byte> file, uint64_t offset, uint64_t bytes) {
  if (offset > file.size() || bytes > file.size() - offset) return {};
  return {reinterpret_cast<const T*>(file.data() + offset), bytes / sizeof(T)};
}

// How far the program lies from the addresses of its file.
uint64_t programBase() {
  uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        *static_cast<uint64_t*>(result) = info->dlpi_addr;  // the first is the program
        return 1;
      },
      &base);
  return base;
}

bool isRuntimeName(std::string_view name) { return name.starts_with("cuda") || name.starts_with("__cuda"); }

// movabs r11, target; jmp r11: no argument is in r11, and nothing is expected there after a call (System V ABI).
constexpr size_t kJumpBytes = 13;
std::array<unsigned char, kJumpBytes> jumpTo(const void* target) {
  std::array<unsigned char, kJumpBytes> code{0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};
  const auto address = reinterpret_cast<uint64_t>(target);
  std::memcpy(code.data() + 2, &address, sizeof address);
  return code;
}

void replace(uint64_t function, const void* target) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t begin = function / page * page, end = (function + kJumpBytes + page - 1) / page * page;
  auto* const pages = reinterpret_cast<void*>(begin);
  if (mprotect(pages, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    fail("cannot replace the CUDA runtime in the program", "its code cannot be made writable");
  const auto code = jumpTo(target);
  std::memcpy(reinterpret_cast<void*>(function), code.data(), code.size());
  mprotect(pages, end - begin, PROT_READ | PROT_EXEC);
}

// Loaded when the program turns out to have the runtime in it: programs that it starts have this library preloaded, too.
void* standIn() {
  static void* const library = dlopen(std::getenv(kStandIn), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) fail("cannot load Warpwright's CUDA runtime", dlerror());
  return library;
}

void replaceAll(std::span<const std::byte> file) {
  const auto headers = tableAt<Elf64_Ehdr>(file, 0, sizeof(Elf64_Ehdr));
  if (headers.empty()) return;
  const auto sections = tableAt<Elf64_Shdr>(file, headers[0].e_shoff, uint64_t{headers[0].e_shnum} * sizeof(Elf64_Shdr));
  const uint64_t base = programBase();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& strings = sections[section.sh_link];
    const auto names = tableAt<char>(file, strings.sh_offset, strings.sh_size);
    for (const Elf64_Sym& symbol : tableAt<Elf64_Sym>(file, section.sh_offset, section.sh_size)) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0 || symbol.st_size < kJumpBytes) continue;
      if (symbol.st_name >= names.size() || !isRuntimeName(&names[symbol.st_name])) continue;
      if (const void* const target = dlsym(standIn(), &names[symbol.st_name])) replace(base + symbol.st_value, target);
    }
  }
}

__attribute__((constructor)) void intercept() {
  if (std::getenv(kStandIn) == nullptr) return;
  const auto file = programFile();
  replaceAll(file);
  if (!file.empty()) munmap(const_cast<std::byte*>(file.data()), file.size());
}

}  // namespace
