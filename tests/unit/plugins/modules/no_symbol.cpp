extern "C" int something();
int something() { return 1; }
