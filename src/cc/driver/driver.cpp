#include "cc/driver/driver.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "cc/driver/commands.hpp"
#include "cc/driver/rotation_repair.hpp"

namespace warpwright::cc {
namespace {

namespace fs = std::filesystem;

class Driver {
 public:
  Driver(Options options, Toolchain tools) : options_(std::move(options)), tools_(std::move(tools)) {}

  int run() {
    for (const std::string& note : options_.notes) fmt::print(stderr, "warpwright-cc: note: {}\n", note);
    checkInputs();
    std::vector<std::string> objects;
    for (const std::string& input : options_.inputs) {
      const int status = compile(input, objects);
      if (status != 0) return status;
    }
    if (options_.stage != Stage::kExecutable) return 0;
    return execute(linkCommand(options_, tools_, objects, options_.output.empty() ? "a.out" : options_.output));
  }

 private:
  void checkInputs() const {
    if (options_.inputs.empty()) throw Error("no input files", {}, "warpwright-cc file.cu -o program; see --help");
    for (const std::string& input : options_.inputs) {
      if (input != "-" && !fs::exists(input)) throw Error(fmt::format("no such file: '{}'", input));
    }
    if (options_.stage != Stage::kExecutable && !options_.output.empty() && options_.inputs.size() > 1) {
      throw Error("-o with several inputs needs linking", {}, "leave out -o, or give one input at a time");
    }
  }

  int execute(const Command& command) const {
    if (options_.verbose || options_.dryRun) fmt::print(stderr, "{}\n", quoted(command));
    return options_.dryRun ? 0 : cc::run(command);
  }

  int compile(const std::string& input, std::vector<std::string>& objects) {
    const Language language = languageOf(options_, input);
    if (language == Language::kLinkerInput) {
      objects.push_back(input);
      return 0;
    }
    std::string ptx;
    if (language == Language::kCuda && options_.stage != Stage::kPreprocess && options_.stage != Stage::kDependencies) {
      ptx = options_.stage == Stage::kPtx ? resultName(input) : intermediate(input, ".ptx");
      const int status = compileDevice(input, ptx);
      if (status != 0) return status;
    }
    if (options_.stage == Stage::kPtx) return language == Language::kCuda ? 0 : throw Error(fmt::format("'{}' has no device code", input));
    const std::string result = options_.stage == Stage::kExecutable ? intermediate(input, ".o") : resultName(input);
    objects.push_back(result);
    return execute(withDependencyNames(input, hostCommand(options_, tools_, input, language, ptx, result)));
  }

  int compileDevice(const std::string& input, const std::string& ptx) {
    const int status = execute(deviceCommand(options_, tools_, input, ptx));
    if (status != 0 || options_.dryRun) return status;
    prepend(ptx, ptxPreamble(options_, input));
    return 0;
  }

  // What is embedded is text that ends in a NUL, so that the runtime can read it without a length.
  void prepend(const std::string& path, const std::string& preamble) const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::ofstream file(path, std::ios::trunc);
    file << preamble << repairRotations(text.str());
    if (options_.stage != Stage::kPtx) file << '\0';
    if (!file.flush()) throw Error(fmt::format("cannot write '{}'", path));
  }

  // With -MD the rule should name the final file and lie beside it, not name a temporary object.
  Command withDependencyNames(const std::string& input, Command command) const {
    if (options_.dependencyFlags.empty() || options_.stage != Stage::kExecutable) return command;
    const std::string target = options_.output.empty() ? "a.out" : options_.output;
    const auto given = [&](const char* flag) {
      return std::find(options_.dependencyFlags.begin(), options_.dependencyFlags.end(), flag) != options_.dependencyFlags.end();
    };
    if (!given("-MT") && !given("-MQ")) command.insert(command.end(), {"-MT", target});
    if (!given("-MF")) command.insert(command.end(), {"-MF", fs::path(input).stem().string() + ".d"});
    return command;
  }

  std::string resultName(const std::string& input) const {
    if (!options_.output.empty()) return options_.output;
    const std::string stem = fs::path(input).stem().string();
    switch (options_.stage) {
      case Stage::kPtx:
        return stem + ".ptx";
      case Stage::kHostAssembly:
        return stem + ".s";
      case Stage::kObject:
        return stem + ".o";
      default:
        return "";  // standard output
    }
  }

  // Two inputs may have one name in different folders, so intermediate files carry a number.
  std::string intermediate(const std::string& input, const std::string& extension) {
    const std::string stem = fs::path(input).stem().string();
    if (options_.keep) return (fs::path(options_.keepDirectory) / (stem + extension)).string();
    if (!temporary_) temporary_.emplace();
    return fmt::format("{}/{}-{}{}", temporary_->path(), stem, count_++, extension);
  }

  Options options_;
  Toolchain tools_;
  std::optional<TemporaryFolder> temporary_;
  int count_ = 0;
};

}  // namespace

int runDriver(const std::string& executable, const std::vector<std::string>& arguments) {
  const Options options = parseOptions(arguments);
  if (options.help) {
    fmt::print("{}", helpText());
    return 0;
  }
  if (options.version) {
    fmt::print("warpwright-cc {}\n", WARPWRIGHT_VERSION);
    return 0;
  }
  Toolchain tools = findToolchain(executable, options.clang);
  if (options.deviceAddressBits == 32) tools.hostCxxFolders = systemIncludeFolders(tools.clang);
  return Driver(options, tools).run();
}

}  // namespace warpwright::cc
