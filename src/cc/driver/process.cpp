#include "cc/driver/process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

extern char** environ;

namespace warpwright::cc {
namespace {

volatile sig_atomic_t caught = 0;
volatile pid_t running = 0;

void passOn(int signal) {
  caught = signal;
  if (running > 0) kill(running, signal);
}

void throwIfInterrupted() {
  if (caught != 0) throw Interrupted{caught};
}

pid_t start(const Command& command, posix_spawn_file_actions_t* actions) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], actions, nullptr, words.data(), environ);
  if (error != 0) throw Error(fmt::format("cannot run '{}': {}", command.front(), std::strerror(error)));
  return child;
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string readAll(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t count; (count = read(descriptor, buffer.data(), buffer.size())) > 0;) text.append(buffer.data(), static_cast<size_t>(count));
  return text;
}

bool isPlain(const std::string& word) { return !word.empty() && word.find_first_of(" \t\n\"'`$&|;<>()*?[]{}\\!#~") == std::string::npos; }

}  // namespace

void unwindOnSignals() {
  struct sigaction action = {};
  action.sa_handler = passOn;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, &action, &before);
    // nohup and shells' background jobs have signals ignored.
    if (before.sa_handler == SIG_IGN) sigaction(signal, &before, nullptr);
  }
}

int run(const Command& command) {
  throwIfInterrupted();
  running = start(command, nullptr);
  // A signal may have come before the command was known.
  if (caught != 0) kill(running, caught);
  const int status = waitFor(running);
  running = 0;
  throwIfInterrupted();
  return status;
}

std::string capture(const Command& command, int* status) {
  std::array<int, 2> ends;
  if (pipe(ends.data()) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  const pid_t child = start(command, &actions);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text = readAll(ends[0]);
  close(ends[0]);
  const int ended = waitFor(child);
  if (status != nullptr) *status = ended;
  return text;
}

std::string quoted(const Command& command) {
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    if (isPlain(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "warpwright-cc-XXXXXX").string();
  if (!mkdtemp(name.data())) throw Error(fmt::format("cannot make the folder '{}': {}", name, std::strerror(errno)));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpwright::cc
