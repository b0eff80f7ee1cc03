// SPDX-License-Identifier: MIT
#ifndef SPORADES_THREADS_H
#define SPORADES_THREADS_H
#include <stdbool.h>

/// Whether the calling thread is the process's first. Swift's module of Glibc does not tell.
bool sporades_is_main_thread(void);

#endif
