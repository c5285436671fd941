// A library of which only the name counts.
extern "C" int used() { return 0; }
