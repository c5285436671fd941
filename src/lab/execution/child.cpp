#include "lab/execution/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

constexpr int kCannotStart = 127;
// From being asked to end to being killed: for a simulation to write what it has.
constexpr std::chrono::seconds kGraceTime{5};

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Where memory runs out although nobody set a limit, a run is to be killed, not the lab or its neighbours.
void volunteerForTheKernel() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t ignored = write(file, "1000", 4);
  close(file);
}

[[noreturn]] void becomeChild(const ChildRequest& request, const std::vector<char*>& words, const std::vector<char*>& environment,
                              pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotStart);  // it died before the line above
  signal(SIGXFSZ, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  volunteerForTheKernel();
  const int input = open("/dev/null", O_RDONLY);
  const int output = open(request.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (input < 0 || output < 0 || chdir(request.folder.c_str()) != 0) _exit(kCannotStart);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  closefrom(STDERR_FILENO + 1);
  execve(words[0], words.data(), environment.data());
  _exit(kCannotStart);
}

// Memory of its own that a process has resident: what it only shares (libraries, files) is not counted.
u64 residentBytes(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  u64 size = 0, resident = 0, shared = 0;
  file >> size >> resident >> shared;
  return file && resident > shared ? (resident - shared) * static_cast<u64>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

Child::Child(const ChildRequest& request) : limits_(request.limits), started_(std::chrono::steady_clock::now()) {
  const std::vector<char*> words = pointersTo(request.command), environment = pointersTo(request.environment);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) becomeChild(request, words, environment, parent);
  if (process_ < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)), {}, "fewer --jobs take fewer processes");
  setpgid(process_, process_);  // the child does it as well: whoever comes first
  descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
}

Child::~Child() {
  if (!ended_) {
    ::kill(-process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

double Child::elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(); }

void Child::kill(End why) {
  if (result_.end != End::exited) return;
  result_.end = why;
  ::kill(-process_, SIGKILL);
}

void Child::terminate(End why) {
  if (asked_) return;
  asked_ = std::chrono::steady_clock::now();
  result_.end = why;
  ::kill(-process_, SIGTERM);
}

bool Child::check() {
  if (ended_) return true;
  int status = 0;
  rusage usage{};
  const pid_t waited = wait4(process_, &status, WNOHANG, &usage);
  if (waited == 0) {
    const u64 resident = residentBytes(process_);
    result_.peakBytes = std::max(result_.peakBytes, resident);
    if (limits_.memoryBytes != 0 && resident > limits_.memoryBytes) kill(End::tooMuchMemory);
    if (limits_.timeout.count() != 0 && elapsed() > static_cast<double>(limits_.timeout.count())) terminate(End::timedOut);
    if (asked_ && std::chrono::steady_clock::now() - *asked_ > kGraceTime) ::kill(-process_, SIGKILL);
    return false;
  }
  ended_ = true;
  result_.seconds = elapsed();
  result_.peakBytes = std::max(result_.peakBytes, static_cast<u64>(usage.ru_maxrss) * 1024);
  if (result_.end == End::exited && WIFSIGNALED(status)) result_.end = End::killed;
  result_.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return true;
}

}  // namespace warpwright::lab
