// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/sysmacros.h>
#endif

#if defined(__linux__) && !defined(__ANDROID__) && defined(STATX_INO)
// stat() asks for a file's times. Since Linux 6.13, the first write after such a call reads a finer clock,
// so that its time differs from the time that stat() returned. A small write then takes half as long again.
// This statx() asks for the file's number and size alone.
static bool ask(int descriptor, const char *path, int flags, struct sporades_identity *identity) {
  struct statx status;
  if (statx(descriptor, path, flags, STATX_INO | STATX_SIZE, &status) == 0) {
    if (status.stx_mask & STATX_INO && status.stx_mask & STATX_SIZE) {
      identity->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
      identity->number = status.stx_ino;
      identity->size = status.stx_size;
      return true;
    }
  } else if (errno != ENOSYS && errno != EPERM) {
    return false;
  }
  // Containers may forbid a call that they do not know, and a file system may keep no numbers.
  struct stat plain;
  if (fstatat(descriptor, path, &plain, flags) != 0) return false;
  identity->device = (uint64_t)major(plain.st_dev) << 32 | minor(plain.st_dev);
  identity->number = plain.st_ino;
  identity->size = (uint64_t)plain.st_size;
  return true;
}

bool sporades_identity_at(const char *path, struct sporades_identity *identity) {
  return ask(AT_FDCWD, path, 0, identity);
}

bool sporades_identity_of(int descriptor, struct sporades_identity *identity) {
  return ask(descriptor, "", AT_EMPTY_PATH, identity);
}
#else
static bool note(int result, const struct stat *status, struct sporades_identity *identity) {
  if (result != 0) return false;
  identity->device = (uint64_t)status->st_dev;
  identity->number = (uint64_t)status->st_ino;
  identity->size = (uint64_t)status->st_size;
  return true;
}

bool sporades_identity_at(const char *path, struct sporades_identity *identity) {
  struct stat status;
  return note(stat(path, &status), &status, identity);
}

bool sporades_identity_of(int descriptor, struct sporades_identity *identity) {
  struct stat status;
  return note(fstat(descriptor, &status), &status, identity);
}
#endif

int sporades_rename_new(const char *path, const char *target) {
#if defined(__GLIBC__)
  if (renameat2(AT_FDCWD, path, AT_FDCWD, target, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#elif defined(__APPLE__)
  if (renamex_np(path, target, RENAME_EXCL) == 0) return 0;
  if (errno != EINVAL && errno != ENOTSUP) return errno;
#endif
  // The file system cannot do it in one step. Here the file has two names for a moment.
  if (link(path, target) != 0) return errno;
  return unlink(path) == 0 ? 0 : errno;
}

int sporades_exchange(const char *path, const char *target) {
#if defined(__GLIBC__)
  return renameat2(AT_FDCWD, path, AT_FDCWD, target, RENAME_EXCHANGE) == 0 ? 0 : errno;
#elif defined(__APPLE__)
  return renamex_np(path, target, RENAME_SWAP) == 0 ? 0 : errno;
#else
  (void)path;
  (void)target;
  return ENOSYS;
#endif
}

int sporades_sync(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  return error;
}
