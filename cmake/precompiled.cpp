// The one source of the targets that compile the headers (WarpwrightPrecompiledHeaders.cmake).
