#include "cli/command_line.hpp"

int main(int argc, char** argv) { return warpwright::cli::runCommand(argc, argv); }
