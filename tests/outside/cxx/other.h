// Kernels in a unit of its own, of the program and of a library.
void other_unit(unsigned long long *words, unsigned *bad);
