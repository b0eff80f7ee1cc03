// SPDX-License-Identifier: MIT
// Calls that add, change and remove names.
#define _GNU_SOURCE
#include "inner.h"
#include "next.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/// One change of a name, of which the journal keeps the kind and both paths.
#define CHANGE_NAME(call, act, kind, path, other) \
  CHANGE(call, path, act, faults_record(kind, path, other, 0, 0, NULL, 0))

int unlink(const char *path) {
  CHANGE_NAME(CALL_UNNAME, NEXT(unlink)(path), RECORD_UNLINK, path, "")
}

int rmdir(const char *path) {
  CHANGE_NAME(CALL_UNNAME, NEXT(rmdir)(path), RECORD_REMOVE_FOLDER, path, "")
}

int unlinkat(int folder, const char *name, int flags) {
  char buffer[PATH_MAX];
  const char *path = faults_join(folder, name, buffer, sizeof buffer);
  CHANGE_NAME(CALL_UNNAME, NEXT(unlinkat)(folder, name, flags),
         flags & AT_REMOVEDIR ? RECORD_REMOVE_FOLDER : RECORD_UNLINK, path, "")
}

int remove(const char *path) {
  struct stat64 status;
  bool is_folder = NEXT(lstat64)(path, &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder ? rmdir(path) : unlink(path);
}

int mkdir(const char *path, mode_t mode) {
  CHANGE_NAME(CALL_NAME, NEXT(mkdir)(path, mode), RECORD_MAKE_FOLDER, path, "")
}

int mkdirat(int folder, const char *name, mode_t mode) {
  char buffer[PATH_MAX];
  const char *path = faults_join(folder, name, buffer, sizeof buffer);
  CHANGE_NAME(CALL_NAME, NEXT(mkdirat)(folder, name, mode), RECORD_MAKE_FOLDER, path, "")
}

int rename(const char *path, const char *other) {
  CHANGE_NAME(CALL_NAME, NEXT(rename)(path, other), RECORD_RENAME, path, other)
}

int renameat(int folder, const char *name, int target, const char *new_name) {
  char buffer[PATH_MAX], other_buffer[PATH_MAX];
  const char *path = faults_join(folder, name, buffer, sizeof buffer);
  const char *other = faults_join(target, new_name, other_buffer, sizeof other_buffer);
  CHANGE_NAME(CALL_NAME, NEXT(renameat)(folder, name, target, new_name), RECORD_RENAME, path,
         other ? other : "")
}

int renameat2(int folder, const char *name, int target, const char *new_name, unsigned flags) {
  char buffer[PATH_MAX], other_buffer[PATH_MAX];
  const char *path = faults_join(folder, name, buffer, sizeof buffer);
  const char *other = faults_join(target, new_name, other_buffer, sizeof other_buffer);
  CHANGE_NAME(CALL_NAME, NEXT(renameat2)(folder, name, target, new_name, flags), RECORD_RENAME, path,
         other ? other : "")
}

int link(const char *path, const char *other) {
  CHANGE_NAME(CALL_NAME, NEXT(link)(path, other), RECORD_LINK, path, other)
}

int linkat(int folder, const char *name, int target, const char *new_name, int flags) {
  char buffer[PATH_MAX], other_buffer[PATH_MAX];
  const char *path = faults_join(folder, name, buffer, sizeof buffer);
  const char *other = faults_join(target, new_name, other_buffer, sizeof other_buffer);
  CHANGE_NAME(CALL_NAME, NEXT(linkat)(folder, name, target, new_name, flags), RECORD_LINK, path,
         other ? other : "")
}

int chmod(const char *path, mode_t mode) {
  struct verdict verdict = faults_judge(CALL_MODE, path);
  if (verdict.kill_before) faults_die();
  if (verdict.error) {
    errno = verdict.error;
    return -1;
  }
  int answer = NEXT(chmod)(path, mode);
  if (verdict.kill_after) faults_die();
  return answer;
}
