// SPDX-License-Identifier: MIT
// Reading, writing, resizing, syncing and locking.
#define _GNU_SOURCE
#include "inner.h"
#include "next.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat64 status_of(int file) {
  struct stat64 status = {0};
  NEXT(fstat64)(file, &status);
  return status;
}

// MARK: - Reading

#define READS(file)                                                       \
  struct verdict verdict = faults_judge(CALL_READ, faults_path(file));    \
  if (verdict.error) {                                                    \
    errno = verdict.error;                                                \
    return -1;                                                            \
  }

ssize_t read(int file, void *bytes, size_t count) {
  READS(file)
  return NEXT(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  READS(file)
  return NEXT(pread)(file, bytes, count, offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
  READS(file)
  return NEXT(pread64)(file, bytes, count, offset);
}

// MARK: - Locking

/// Each command takes a number, a pointer or nothing, and all of them fit where a pointer does.
#define CONTROL(name)                                                             \
  int name(int file, int command, ...) {                                          \
    va_list rest;                                                                 \
    va_start(rest, command);                                                      \
    void *argument = va_arg(rest, void *);                                        \
    va_end(rest);                                                                 \
    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK) {    \
      struct verdict verdict = faults_judge(CALL_LOCK, faults_path(file));        \
      if (verdict.error && ((struct flock *)argument)->l_type != F_UNLCK) {       \
        errno = verdict.error;                                                    \
        return -1;                                                                \
      }                                                                           \
    }                                                                             \
    return NEXT(name)(file, command, argument);                                   \
  }

CONTROL(fcntl)
CONTROL(fcntl64)

// MARK: - Writing

/// Writes at an offset. A negative offset stands for the file's own position.
static ssize_t put(int file, const void *bytes, size_t count, off64_t offset) {
  return offset < 0 ? NEXT(write)(file, bytes, count) : NEXT(pwrite64)(file, bytes, count, offset);
}

static off64_t place(int file, off64_t offset) {
  if (offset >= 0) return offset;
  if (fcntl(file, F_GETFL) & O_APPEND) return status_of(file).st_size;
  return lseek64(file, 0, SEEK_CUR);
}

static ssize_t write_at(int file, const void *bytes, size_t count, off64_t offset) {
  const char *path = faults_path(file);
  if (!faults_takes(path)) return put(file, bytes, count, offset);
  faults_lock();
  struct verdict verdict = faults_judge(CALL_WRITE, path);
  if (verdict.kill_before) faults_die();
  ssize_t done = -1;
  int error = verdict.error;
  if (verdict.half && count < 2 && !verdict.kill_after) error = ENOSPC;
  if (!error) {
    off64_t start = place(file, offset);
    done = put(file, bytes, verdict.half ? count / 2 : count, offset);
    error = errno;
    if (done > 0)
      faults_record(RECORD_WRITE, path, "", status_of(file).st_ino, (uint64_t)start, bytes,
                    (uint64_t)done);
  }
  if (verdict.kill_after) faults_die();
  faults_unlock();
  if (done < 0) errno = error;
  return done;
}

ssize_t write(int file, const void *bytes, size_t count) {
  return write_at(file, bytes, count, -1);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return write_at(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return write_at(file, bytes, count, offset);
}

// MARK: - Resizing, syncing, permissions

/// One change of a descriptor.
#define CHANGE_FILE(call, act, record)   \
  const char *path = faults_path(file);  \
  CHANGE(call, path, act, record)

static void record_size(int file, const char *path) {
  struct stat64 status = status_of(file);
  faults_record(RECORD_RESIZE, path, "", status.st_ino, (uint64_t)status.st_size, NULL, 0);
}

static void record_sync(int file, const char *path) {
  struct stat64 status = status_of(file);
  bool is_folder = S_ISDIR(status.st_mode);
  faults_record(is_folder ? RECORD_SYNC_FOLDER : RECORD_SYNC_FILE, path, "", status.st_ino, 0, NULL,
                0);
}

int ftruncate(int file, off_t size) {
  CHANGE_FILE(CALL_RESIZE, NEXT(ftruncate)(file, size), record_size(file, path))
}

int ftruncate64(int file, off64_t size) {
  CHANGE_FILE(CALL_RESIZE, NEXT(ftruncate64)(file, size), record_size(file, path))
}

int fallocate(int file, int mode, off_t offset, off_t count) {
  CHANGE_FILE(CALL_RESIZE, NEXT(fallocate)(file, mode, offset, count), record_size(file, path))
}

int fallocate64(int file, int mode, off64_t offset, off64_t count) {
  CHANGE_FILE(CALL_RESIZE, NEXT(fallocate64)(file, mode, offset, count), record_size(file, path))
}

int fsync(int file) { CHANGE_FILE(CALL_SYNC, NEXT(fsync)(file), record_sync(file, path)) }

int fdatasync(int file) { CHANGE_FILE(CALL_SYNC, NEXT(fdatasync)(file), record_sync(file, path)) }

int fchmod(int file, mode_t mode) { CHANGE_FILE(CALL_MODE, NEXT(fchmod)(file, mode), (void)0) }
