#include "cli/app.hpp"

int main(int argc, char** argv) { return warpwright::cli::runCommand(argc, argv); }
