// A program that asks the loader for one library.
extern "C" int used();
int main() { return used(); }
