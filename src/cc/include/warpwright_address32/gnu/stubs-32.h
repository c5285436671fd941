// Stands for the list of missing functions that a 64-bit Debian ships only with its 32-bit libraries; a device pass needs none.
