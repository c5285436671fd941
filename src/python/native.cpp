// The part of the Python module that is C++: the embed library with bytes for memory and arguments. What is pleasant to use is made of it
// in warpwright/*.py; warpwright/_native.pyi has the signatures.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <warpwright/simulator.hpp>

namespace py = pybind11;

namespace warpwright::python {
namespace {

Extent extentOf(const std::array<std::uint32_t, 3>& sizes) { return {sizes[0], sizes[1], sizes[2]}; }

// A simulator that lets other Python threads run while it simulates, prints where Python prints, and ends launches when a signal handler
// of Python raises.
class Session {
 public:
  Session(SimulatorOptions options, py::function print) : print_(std::move(print)), gpu_(withHost(std::move(options))) {}

  Simulator& gpu() { return gpu_; }

  // Runs what may simulate.
  template <class Action>
  void simulate(Action&& action) {
    try {
      const py::gil_scoped_release released;
      action();
    } catch (const std::runtime_error&) {
      if (!raised_) throw;
      throw *std::exchange(raised_, std::nullopt);
    }
  }

 private:
  SimulatorOptions withHost(SimulatorOptions options) {
    options.print = [this](std::string_view text) { printText(text); };
    options.mustStop = [this] { return signalled(); };
    return options;
  }

  void printText(std::string_view text) {
    const py::gil_scoped_acquire acquired;
    try {
      print_(py::bytes(text.data(), text.size()).attr("decode")("utf-8", "replace"));
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("printing what a kernel prints");
    }
  }

  bool signalled() {
    const py::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() == 0) return false;
    raised_.emplace();
    return true;
  }

  py::function print_;
  std::optional<py::error_already_set> raised_;  // by a signal handler
  Simulator gpu_;
};

py::dict described(const KernelInfo& info) {
  py::list parameters;
  for (const KernelParameter& each : info.parameters)
    parameters.append(py::dict(py::arg("name") = each.name, py::arg("bytes") = each.bytes, py::arg("is_float") = each.isFloat));
  return py::dict(py::arg("name") = info.name, py::arg("signature") = info.signature, py::arg("registers") = info.registers,
                  py::arg("shared_bytes") = info.sharedBytes, py::arg("local_bytes") = info.localBytes, py::arg("parameters") = parameters);
}

void write(Session& session, std::uint64_t address, const py::buffer& from) {
  const py::buffer_info info = from.request();
  session.simulate([&] { session.gpu().write(address, info.ptr, static_cast<std::size_t>(info.size * info.itemsize)); });
}

void read(Session& session, std::uint64_t address, const py::buffer& to) {
  const py::buffer_info info = to.request(true);
  session.simulate([&] { session.gpu().read(info.ptr, address, static_cast<std::size_t>(info.size * info.itemsize)); });
}

std::vector<Argument> argumentsOf(const std::vector<std::string>& values) {
  std::vector<Argument> arguments;
  for (const std::string& bytes : values) arguments.push_back(Argument::ofBytes({bytes.begin(), bytes.end()}));
  return arguments;
}

// Stream 0 is the host, which waits.
void launch(Session& session, std::uint32_t stream, const std::string& kernel, const std::array<std::uint32_t, 3>& grid,
            const std::array<std::uint32_t, 3>& block, const std::vector<std::string>& values, std::uint64_t dynamicSharedBytes) {
  const std::vector<Argument> arguments = argumentsOf(values);
  session.simulate([&] {
    if (stream == 0) return session.gpu().launch(kernel, extentOf(grid), extentOf(block), arguments, dynamicSharedBytes);
    session.gpu().launch(Stream{stream}, kernel, extentOf(grid), extentOf(block), arguments, dynamicSharedBytes);
  });
}

// Every std::runtime_error of the library, which has position, cause and remedy in its text, becomes warpwright.Error.
void registerError(py::module_& module) {
  static PyObject* const error = PyErr_NewExceptionWithDoc(
      "warpwright.Error", "A mistake or a fault inside a kernel: the text has position, cause and remedy.", PyExc_RuntimeError, nullptr);
  module.add_object("Error", py::handle(error));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const py::builtin_exception&) {
      throw;
    } catch (const std::runtime_error& caught) {
      PyErr_SetString(error, caught.what());
    }
  });
}

void addOptions(py::module_& module) {
  py::class_<SimulatorOptions>(module, "Options")
      .def(py::init<>())
      .def_readwrite("machine", &SimulatorOptions::machine)
      .def_readwrite("overrides", &SimulatorOptions::overrides)
      .def_readwrite("timed", &SimulatorOptions::timed)
      .def_readwrite("threads", &SimulatorOptions::threads)
      .def_readwrite("max_registers", &SimulatorOptions::maxRegisters)
      .def_readwrite("address_bits", &SimulatorOptions::addressBits)
      .def_readwrite("lines", &SimulatorOptions::lines)
      .def_readwrite("checks", &SimulatorOptions::checks)
      .def_readwrite("stop_on_fault", &SimulatorOptions::stopOnFault)
      .def_readwrite("energy", &SimulatorOptions::energyTable)
      .def_readwrite("trace", &SimulatorOptions::traceFile)
      .def_readwrite("konata", &SimulatorOptions::konataFile)
      .def_readwrite("series", &SimulatorOptions::seriesFile)
      .def_readwrite("trace_from", &SimulatorOptions::traceFrom)
      .def_readwrite("trace_until", &SimulatorOptions::traceUntil)
      .def_readwrite("trace_interval", &SimulatorOptions::traceInterval);
}

void addSession(py::module_& module) {
  py::class_<Session>(module, "Session")
      .def(py::init<SimulatorOptions, py::function>())
      .def("load", [](Session& self, const std::string& ptx, const std::string& name) { self.gpu().load(ptx, name); })
      .def("load_cuda",
           [](Session& self, const std::string& text, const std::string& name, const std::vector<std::string>& options) {
             return self.gpu().loadCuda({text, name, options});
           })
      .def("kernels", [](Session& self) { return self.gpu().kernels(); })
      .def("kernel", [](Session& self, const std::string& name) { return described(self.gpu().kernel(name)); })
      .def("symbol",
           [](Session& self, const std::string& name) {
             const Symbol symbol = self.gpu().symbol(name);
             return std::pair(symbol.address, symbol.bytes);
           })
      .def("allocate", [](Session& self, std::size_t bytes) { return self.gpu().allocate(bytes); })
      .def("free", [](Session& self, std::uint64_t address) { self.simulate([&] { self.gpu().free(address); }); })
      .def("write", &write)
      .def("read", &read)
      .def("create_stream", [](Session& self, int priority) { return self.gpu().createStream(priority).number; })
      .def("launch", &launch)
      .def("synchronize", [](Session& self) { self.simulate([&] { self.gpu().synchronize(); }); })
      .def("nanoseconds", [](Session& self) { return self.gpu().nanoseconds(); })
      .def("take_warnings", [](Session& self) { return self.gpu().takeWarnings(); })
      .def("write_traces", [](Session& self) { self.simulate([&] { self.gpu().writeTraces(); }); })
      .def("statistics", [](Session& self) { return self.gpu().statistics(); })
      .def("statistic",
           [](Session& self, const std::string& kernel, const std::string& path) { return self.gpu().statistic(kernel, path); })
      .def("machine", [](Session& self) { return self.gpu().machine(); });
}

}  // namespace
}  // namespace warpwright::python

PYBIND11_MODULE(_native, module) {
  module.doc() = "The simulator without ornament; use the package warpwright.";
  module.attr("version") = WARPWRIGHT_VERSION;
  warpwright::python::registerError(module);
  warpwright::python::addOptions(module);
  warpwright::python::addSession(module);
  module.def("compile_cuda", [](const std::string& text, const std::string& name, const std::vector<std::string>& options) {
    warpwright::CompiledCuda compiled = warpwright::compileCuda({text, name, options});
    return std::pair(compiled.ptx, compiled.remarks);
  });
  module.def("machine_names", &warpwright::machineNames);
  module.def("machine_text", &warpwright::machineText);
  module.def("machine_keys", &warpwright::machineKeys);
  module.def("mechanism_list", &warpwright::mechanismList);
  module.def("require_statistic", &warpwright::requireStatistic);
  module.def("statistic_names", &warpwright::statisticNames);
}
