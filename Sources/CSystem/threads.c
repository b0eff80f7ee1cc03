// SPDX-License-Identifier: MIT
#include "threads.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
bool sporades_is_main_thread(void) { return getpid() == syscall(SYS_gettid); }
#else
#include <pthread.h>
bool sporades_is_main_thread(void) { return pthread_main_np() != 0; }
#endif
