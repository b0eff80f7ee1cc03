// SPDX-License-Identifier: MIT
#ifndef SPORADES_FAULTS_INNER_H
#define SPORADES_FAULTS_INNER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

enum call {
  CALL_OPEN,
  CALL_CREATE,
  CALL_READ,
  CALL_STATUS,
  CALL_MAP,
  CALL_LOCK,
  CALL_WRITE,
  CALL_RESIZE,
  CALL_SYNC,
  CALL_NAME,    // rename, link, mkdir: needs room in a folder
  CALL_UNNAME,  // unlink, rmdir
  CALL_MODE,
};

/// The plan for one call.
struct verdict {
  bool taken;       // The call is one below the folder.
  int error;        // Not 0: fail with this error and do nothing.
  bool half;        // Write only the first half.
  bool kill_before;
  bool kill_after;
};

// plan.c
struct verdict faults_judge(enum call call, const char *path);
void faults_die(void);
bool faults_takes(const char *path);

// paths.c: the path of each open descriptor.
void faults_set_path(int descriptor, const char *path);
/// Null if the descriptor's file does not lie below the folder.
const char *faults_path(int descriptor);
/// The absolute path of a name in the folder of a descriptor; null if it is unknown.
const char *faults_join(int descriptor, const char *name, char *buffer, size_t size);

// journal.c: the caller takes the lock before the change and releases it after the record, so that records have
// the order of the changes.
enum record {
  RECORD_CREATE = 1,
  RECORD_WRITE,
  RECORD_RESIZE,
  RECORD_SYNC_FILE,
  RECORD_SYNC_FOLDER,
  RECORD_UNLINK,
  RECORD_RENAME,
  RECORD_MAKE_FOLDER,
  RECORD_REMOVE_FOLDER,
  RECORD_LINK,
  RECORD_NOTE,
  RECORD_BEGIN,
};

void faults_lock(void);
void faults_unlock(void);
void faults_record(enum record kind, const char *path, const char *other, uint64_t file,
                   uint64_t offset, const void *bytes, uint64_t count);

/// One change of the file or name at `path`: `act` does it, `record` writes it down.
#define CHANGE(call, path, act, record)               \
  if (!faults_takes(path)) return act;                \
  faults_lock();                                      \
  struct verdict verdict = faults_judge(call, path);  \
  if (verdict.kill_before) faults_die();              \
  int answer = -1, error = verdict.error;             \
  if (!error) {                                       \
    answer = act;                                     \
    error = errno;                                    \
    if (answer == 0) { record; }                      \
  }                                                   \
  if (verdict.kill_after) faults_die();               \
  faults_unlock();                                    \
  if (answer != 0) errno = error;                     \
  return answer;

#pragma GCC visibility pop
#endif
