// SPDX-License-Identifier: MIT
#ifndef SPORADES_FAULTS_NEXT_H
#define SPORADES_FAULTS_NEXT_H

#include <dlfcn.h>

/// The function of the same name in libc. Threads that look for it at the same time find the same function.
#define NEXT(name)                                                        \
  ({                                                                      \
    static __typeof__(&name) found;                                       \
    __typeof__(&name) next = __atomic_load_n(&found, __ATOMIC_RELAXED);   \
    if (!next) {                                                          \
      next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                  \
      __atomic_store_n(&found, next, __ATOMIC_RELAXED);                   \
    }                                                                     \
    next;                                                                 \
  })

#endif
