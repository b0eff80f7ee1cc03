// SPDX-License-Identifier: MIT
// The journal of all changes below the folder, in their order.
#define _GNU_SOURCE
#include "include/faults.h"
#include "inner.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Numbers have the machine's own byte order, because the reader runs on the same machine.
struct head {
  uint32_t kind, path, other, unused;
  uint64_t file, offset, count;
};

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int journal = -2;

void faults_lock(void) { pthread_mutex_lock(&order); }
void faults_unlock(void) { pthread_mutex_unlock(&order); }

/// System calls that bypass libc's functions, because the shim counts those.
static void put(const void *bytes, uint64_t count) {
  const char *next = bytes;
  while (count > 0) {
    long done = syscall(SYS_write, journal, next, count);
    if (done <= 0) {
      fprintf(stderr, "faults: the journal cannot be written.\n");
      _exit(74);
    }
    next += done;
    count -= (uint64_t)done;
  }
}

static bool is_open(void) {
  if (journal == -2) {
    const char *path = getenv("SPORADES_FAULT_JOURNAL");
    journal = path ? (int)syscall(SYS_openat, AT_FDCWD, path,
                                  O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600)
                   : -1;
    if (path && journal < 0) {
      fprintf(stderr, "faults: there is no journal at %s.\n", path);
      _exit(74);
    }
  }
  return journal >= 0;
}

void faults_record(enum record kind, const char *path, const char *other, uint64_t file,
                   uint64_t offset, const void *bytes, uint64_t count) {
  if (!is_open()) return;
  struct head head = {.kind = kind,
                      .path = (uint32_t)strlen(path),
                      .other = (uint32_t)strlen(other),
                      .file = file,
                      .offset = offset,
                      .count = bytes ? count : 0};
  put(&head, sizeof head);
  put(path, head.path);
  put(other, head.other);
  if (bytes) put(bytes, count);
}

void faults_note(const char *text) {
  faults_lock();
  faults_record(RECORD_NOTE, text, "", 0, 0, NULL, 0);
  faults_unlock();
}
