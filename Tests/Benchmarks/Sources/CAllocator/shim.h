// SPDX-License-Identifier: MIT
#ifndef ALLOCATOR_SHIM_H
#define ALLOCATOR_SHIM_H
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// The bytes the program has allocated and not given back; 0 where the C library does not tell.
// Swift's Glibc module leaves malloc.h out.
static inline size_t allocator_bytes_in_use(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}
#endif
