// A command that runs beside the test.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

class StartedCommand {
 public:
  // Its output, and what it says of itself, go to these files.
  StartedCommand(const std::string& command, const std::string& output, const std::string& errors) : process_(fork()) {
    if (process_ != 0) return;
    const auto redirect = [](const std::string& file, int to) { dup2(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), to); };
    const rlimit most{60, 60};  // seconds of its processor time: a test whose command does not stop fails
    setrlimit(RLIMIT_CPU, &most);
    redirect(output, STDOUT_FILENO);
    redirect(errors, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }
  ~StartedCommand() {
    if (isOver_) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  StartedCommand(const StartedCommand&) = delete;
  StartedCommand& operator=(const StartedCommand&) = delete;

  // Sends the signal once the process handles it and has worked for half a second, in which its first launch begins. False: it never does.
  bool send(int signal) {
    for (int i = 0; i < 6000; ++i) {
      if (catches(signal) && processorSeconds() > 0.5) return kill(process_, signal) == 0;
      if (waitpid(process_, nullptr, WNOHANG) != 0) return !(isOver_ = true);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  // As waitpid() gives it.
  int wait() {
    int status = 0;
    wait4(process_, &status, 0, &usage_);
    isOver_ = true;
    return status;
  }
  // That it has had at most, once it has been waited for.
  double mebibytes() const { return static_cast<double>(usage_.ru_maxrss) / 1024; }

 private:
  bool catches(int signal) const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
    return false;
  }

  double processorSeconds() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string skipped;
    for (int i = 3; i < 14; ++i) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  pid_t process_;
  bool isOver_ = false;
  rusage usage_{};
};
