// SPDX-License-Identifier: MIT
// The path of each open descriptor.
#define _GNU_SOURCE
#include "inner.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { LIMIT = 4096 };

// A path is never freed, because another thread may read it while the descriptor is closed.
static _Atomic(const char *) paths[LIMIT];

void faults_set_path(int descriptor, const char *path) {
  if (descriptor < 0 || descriptor >= LIMIT) return;
  atomic_store(&paths[descriptor], path ? strdup(path) : NULL);
}

const char *faults_path(int descriptor) {
  return descriptor < 0 || descriptor >= LIMIT ? NULL : atomic_load(&paths[descriptor]);
}

const char *faults_join(int descriptor, const char *name, char *buffer, size_t size) {
  if (!name || name[0] == '/') return name;
  const char *folder = descriptor == AT_FDCWD ? NULL : faults_path(descriptor);
  if (!folder) return NULL;
  int length = snprintf(buffer, size, "%s/%s", folder, name);
  return length > 0 && (size_t)length < size ? buffer : NULL;
}
