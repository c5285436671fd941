#include "cc/driver/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cc/driver/commands.hpp"
#include "cc/driver/device_link.hpp"
#include "cc/driver/rotation_repair.hpp"
#include "cc/driver/static_name_repair.hpp"

namespace warpwright::cc {
namespace {

namespace fs = std::filesystem;

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) throw Error(fmt::format("cannot write '{}'", path));
}

class Driver {
 public:
  Driver(Options options, Toolchain tools) : options_(std::move(options)), tools_(std::move(tools)) {}

  int run() {
    leaveOutVendorHeaders();
    for (const std::string& note : options_.notes) fmt::print(stderr, "warpwright-cc: note: {}\n", note);
    checkInputs();
    std::vector<std::string> objects;
    for (const std::string& input : options_.inputs) {
      const int status = compile(input, objects);
      if (status != 0) return status;
    }
    return join(objects);
  }

 private:
  // Headers of NVIDIA's tool kit that a build names (-I/usr/local/cuda/include) would hide the project's own.
  void leaveOutVendorHeaders() {
    std::vector<std::string> kept;
    std::vector<std::string>& flags = options_.preprocessor;
    for (size_t i = 0; i < flags.size(); ++i) {
      const bool pair = flags[i] == "-isystem" && i + 1 < flags.size();
      const std::string folder = pair ? flags[i + 1] : flags[i].starts_with("-I") ? flags[i].substr(2) : "";
      if (!folder.empty() && isVendorFolder(folder)) {
        options_.notes.push_back(fmt::format("'{}' left out: the headers of this project stand for those of the CUDA tool kit", folder));
        i += pair ? 1 : 0;
        continue;
      }
      kept.push_back(flags[i]);
    }
    flags = kept;
  }

  bool isVendorFolder(const fs::path& folder) const {
    if (!fs::exists(folder / "cuda_runtime.h")) return false;
    return std::none_of(tools_.includeFolders.begin(), tools_.includeFolders.end(), [&](const std::string& own) {
      return fs::equivalent(folder / "cuda_runtime.h", fs::path(own) / "cuda_runtime.h");
    });
  }

  void checkInputs() const {
    if (options_.inputs.empty()) throw Error("no input files", {}, "warpwright-cc file.cu -o program; see --help");
    for (const std::string& input : options_.inputs) {
      if (input != "-" && !fs::exists(input)) throw Error(fmt::format("no such file: '{}'", input));
    }
    if (!joinsInputs() && !options_.output.empty() && options_.inputs.size() > 1) {
      throw Error("-o with several inputs needs linking", {}, "leave out -o, or give one input at a time");
    }
  }

  // Whether one result is made of all inputs.
  bool joinsInputs() const {
    return options_.stage == Stage::kExecutable || options_.stage == Stage::kDeviceLink || options_.stage == Stage::kLibrary;
  }

  std::string outputOr(const char* name) const { return options_.output.empty() ? name : options_.output; }

  int execute(const Command& command) const {
    if (options_.verbose || options_.dryRun) fmt::print(stderr, "{}\n", quoted(command));
    return options_.dryRun ? 0 : cc::run(command);
  }

  int join(const std::vector<std::string>& objects) {
    switch (options_.stage) {
      case Stage::kDeviceLink:
        return linkDevice(unitsOf(objects), outputOr("a_dlink.o"));
      case Stage::kLibrary:
        return execute(libraryCommand(objects, outputOr("a.a")));
      case Stage::kExecutable:
        return link(objects);
      default:
        return 0;
    }
  }

  int link(std::vector<std::string> objects) {
    const std::vector<RelocatableUnit> units = unitsOf(objects);
    if (!units.empty()) {
      objects.insert(objects.begin(), intermediate("device-link", ".o"));
      const int status = linkDevice(units, objects.front());
      if (status != 0) return status;
    }
    return execute(linkCommand(options_, tools_, objects, outputOr("a.out")));
  }

  std::vector<RelocatableUnit> unitsOf(const std::vector<std::string>& objects) const {
    if (options_.dryRun) return {};  // the objects do not exist
    return unitsToLink(deviceLinkInputs(options_, objects), options_.smVersion);
  }

  int linkDevice(const std::vector<RelocatableUnit>& units, const std::string& result) {
    checkDeviceLink(units);
    const std::string source = intermediate("device-link", ".c");
    if (!options_.dryRun) write(source, deviceLinkSource(units));
    return execute(deviceLinkCommand(tools_, source, result));
  }

  int compile(const std::string& input, std::vector<std::string>& objects) {
    const Language language = languageOf(options_, input);
    if (language == Language::kLinkerInput) {
      objects.push_back(input);
      return 0;
    }
    const Options options = optionsFor(input, language);
    std::string ptx;
    if (language == Language::kCuda && options_.stage != Stage::kPreprocess && options_.stage != Stage::kDependencies) {
      ptx = options_.stage == Stage::kPtx && !printsPtx() ? resultName(input) : intermediate(input, ".ptx");
      const int status = compileDevice(options, input, ptx);
      if (status != 0) return status;
      if (printsPtx() && !options_.dryRun) fmt::print("{}", readFile(ptx));
    }
    if (options_.stage == Stage::kPtx) return language == Language::kCuda ? 0 : throw Error(fmt::format("'{}' has no device code", input));
    const std::string result = joinsInputs() ? intermediate(input, ".o") : resultName(input);
    objects.push_back(result);
    const int status = execute(withDependencyNames(input, hostCommand(options, tools_, input, language, ptx, result)));
    if (status == 0 && !options.unitId.empty()) nameUnit(result, options.unitId);
    return status;
  }

  bool printsPtx() const { return options_.stage == Stage::kPtx && options_.output == "-"; }

  // A relocatable unit is named after all that its code depends on.
  Options optionsFor(const std::string& input, Language language) const {
    Options options = options_;
    if (!options_.relocatable || language != Language::kCuda) return options;
    options.unitId = hashDigits(fs::absolute(input).string() + quoted(deviceCommand(options_, tools_, input, "")) +
                                quoted(hostCommand(options_, tools_, input, language, "", "")));
    return options;
  }

  void nameUnit(const std::string& object, const std::string& id) const {
    if (options_.dryRun || object.empty()) return;
    write(object, withOwnUnitId(readFile(object), id));
  }

  int compileDevice(const Options& options, const std::string& input, const std::string& ptx) {
    const int status = execute(deviceCommand(options, tools_, input, ptx));
    if (status != 0 || options_.dryRun) return status;
    prepend(ptx, ptxPreamble(options_, input));
    return 0;
  }

  // What is embedded is text that ends in a NUL, so that the runtime can read it without a length.
  void prepend(const std::string& path, const std::string& preamble) const {
    std::string text = preamble + repairStaticNames(repairRotations(readFile(path)));
    if (options_.stage != Stage::kPtx) text += '\0';
    write(path, text);
  }

  // With -MD the rule should name the final file and lie beside it, not name a temporary object.
  Command withDependencyNames(const std::string& input, Command command) const {
    if (options_.dependencyFlags.empty() || !joinsInputs()) return command;
    const auto given = [&](const char* flag) {
      return std::find(options_.dependencyFlags.begin(), options_.dependencyFlags.end(), flag) != options_.dependencyFlags.end();
    };
    if (!given("-MT") && !given("-MQ")) command.insert(command.end(), {"-MT", outputOr("a.out")});
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

// clang's line after the driver's own: build systems tell by it how the compiler's options read.
int printVersion(const std::string& executable, const Options& options) {
  fmt::print("warpwright-cc {}\nCUDA release 11.5, V11.5.0\n", WARPWRIGHT_VERSION);
  try {
    const std::string text = capture({findToolchain(executable, options.clang).clang, "--version"});
    fmt::print("{}\n", text.substr(0, text.find('\n')));
  } catch (const Error& error) {
    fmt::print("{}\n", error.message());
  }
  return 0;
}

}  // namespace

int runDriver(const std::string& executable, const std::vector<std::string>& arguments) {
  const Options options = parseOptions(arguments);
  if (options.help) {
    fmt::print("{}", helpText());
    return 0;
  }
  if (options.version) return printVersion(executable, options);
  Toolchain tools = findToolchain(executable, options.clang);
  if (options.deviceAddressBits == 32) tools.hostCxxFolders = systemIncludeFolders(tools.clang);
  return Driver(options, tools).run();
}

}  // namespace warpwright::cc
