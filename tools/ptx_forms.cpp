// Prints docs/ptx-forms.md: warpwright-ptx-forms > docs/ptx-forms.md
#include <iostream>

#include "ptx/forms_document.hpp"

int main() { std::cout << warpwright::ptx::formsDocument(); }
