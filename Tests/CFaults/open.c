// SPDX-License-Identifier: MIT
// Calls that open and close files and return their state.
#define _GNU_SOURCE
#include "inner.h"
#include "next.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The number of a descriptor's file, which identifies the file in the journal.
static uint64_t file_number(int descriptor) {
  struct stat64 status;
  return NEXT(fstat64)(descriptor, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

static bool exists(const char *path) {
  struct stat64 status;
  return NEXT(lstat64)(path, &status) == 0;
}

static int open_path(int folder, const char *name, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *path = faults_join(folder, name, buffer, sizeof buffer);
  if (!faults_takes(path)) return NEXT(openat)(folder, name, flags, mode);
  faults_lock();
  bool creates = (flags & O_CREAT) && !exists(path);
  struct verdict verdict = faults_judge(creates ? CALL_CREATE : CALL_OPEN, path);
  if (verdict.kill_before) faults_die();
  int descriptor = -1;
  int error = verdict.error;
  if (!error) {
    descriptor = NEXT(openat)(folder, name, flags, mode);
    error = errno;
    if (descriptor >= 0) {
      faults_set_path(descriptor, path);
      uint64_t file = file_number(descriptor);
      if (creates) faults_record(RECORD_CREATE, path, "", file, 0, NULL, 0);
      else if (flags & O_TRUNC) faults_record(RECORD_RESIZE, path, "", file, 0, NULL, 0);
    }
  }
  if (verdict.kill_after) faults_die();
  faults_unlock();
  if (descriptor < 0) errno = error;
  return descriptor;
}

#define MODE_AFTER(flags)                                   \
  mode_t mode = 0;                                          \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {   \
    va_list rest;                                           \
    va_start(rest, flags);                                  \
    mode = (mode_t)va_arg(rest, int);                       \
    va_end(rest);                                           \
  }

int open(const char *path, int flags, ...) {
  MODE_AFTER(flags)
  return open_path(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_AFTER(flags)
  return open_path(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE_AFTER(flags)
  return open_path(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE_AFTER(flags)
  return open_path(folder, path, flags | O_LARGEFILE, mode);
}

int creat(const char *path, mode_t mode) {
  return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int descriptor) {
  faults_set_path(descriptor, NULL);
  return NEXT(close)(descriptor);
}

DIR *opendir(const char *path) {
  struct verdict verdict = faults_judge(CALL_OPEN, path);
  if (verdict.error) {
    errno = verdict.error;
    return NULL;
  }
  return NEXT(opendir)(path);
}

// MARK: - State

#define STATUS(path)                                          \
  struct verdict verdict = faults_judge(CALL_STATUS, (path)); \
  if (verdict.error) {                                        \
    errno = verdict.error;                                    \
    return -1;                                                \
  }

int stat(const char *path, struct stat *status) {
  STATUS(path)
  return NEXT(stat)(path, status);
}

int stat64(const char *path, struct stat64 *status) {
  STATUS(path)
  return NEXT(stat64)(path, status);
}

int lstat(const char *path, struct stat *status) {
  STATUS(path)
  return NEXT(lstat)(path, status);
}

int lstat64(const char *path, struct stat64 *status) {
  STATUS(path)
  return NEXT(lstat64)(path, status);
}

int fstat(int descriptor, struct stat *status) {
  STATUS(faults_path(descriptor))
  return NEXT(fstat)(descriptor, status);
}

int fstat64(int descriptor, struct stat64 *status) {
  STATUS(faults_path(descriptor))
  return NEXT(fstat64)(descriptor, status);
}

static void *map(void *start, size_t count, int protection, int flags, int file, off64_t offset) {
  struct verdict verdict = faults_judge(CALL_MAP, faults_path(file));
  if (verdict.error) {
    errno = verdict.error;
    return MAP_FAILED;
  }
  return NEXT(mmap64)(start, count, protection, flags, file, offset);
}

void *mmap(void *start, size_t count, int protection, int flags, int file, off_t offset) {
  return map(start, count, protection, flags, file, offset);
}

void *mmap64(void *start, size_t count, int protection, int flags, int file, off64_t offset) {
  return map(start, count, protection, flags, file, offset);
}
