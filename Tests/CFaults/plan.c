// SPDX-License-Identifier: MIT
// The count of calls, and the harm to the call with the chosen number.
#define _GNU_SOURCE
#include "include/faults.h"
#include "inner.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum harm { HARM_NONE, HARM_KILL_BEFORE, HARM_KILL_AFTER, HARM_TEAR, HARM_SHORT, HARM_ERROR };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *only;
static enum harm harm;
static int harm_error;
static long at, times, counted;
static bool counts, harmed, healed;

static void refuse(const char *name, const char *value) {
  fprintf(stderr, "faults: %s is \"%s\", which means nothing.\n", name, value);
  _exit(64);
}

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  if (!text) return otherwise;
  char *end;
  long value = strtol(text, &end, 10);
  if (*text == 0 || *end != 0 || value < 0) refuse(name, text);
  return value;
}

static void read_harm(const char *text) {
  if (!text) return;
  static const struct { const char *name; enum harm harm; int error; } known[] = {
      {"kill-before", HARM_KILL_BEFORE, 0}, {"kill-after", HARM_KILL_AFTER, 0},
      {"tear", HARM_TEAR, 0},               {"short", HARM_SHORT, ENOSPC},
      {"EIO", HARM_ERROR, EIO},             {"ENOSPC", HARM_ERROR, ENOSPC},
      {"EMFILE", HARM_ERROR, EMFILE},       {"EACCES", HARM_ERROR, EACCES},
      {"ENOLCK", HARM_ERROR, ENOLCK},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(text, known[i].name) == 0) {
      harm = known[i].harm;
      harm_error = known[i].error;
      return;
    }
  refuse("SPORADES_FAULT_HARM", text);
}

static void read_environment(void) {
  folder = getenv("SPORADES_FAULT_FOLDER");
  only = getenv("SPORADES_FAULT_ONLY");
  at = number("SPORADES_FAULT_AT", 0);
  times = number("SPORADES_FAULT_TIMES", 1);
  read_harm(getenv("SPORADES_FAULT_HARM"));
}

bool faults_takes(const char *path) {
  pthread_once(&once, read_environment);
  if (!folder || !path) return false;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static bool changes(enum call call) { return call == CALL_CREATE || call >= CALL_WRITE; }

/// Whether the harm can affect a call. A call that changes nothing needs no end of the process before it: the end
/// after the former change is the same.
static bool suits(enum call call) {
  if (harm == HARM_ERROR && harm_error == ENOLCK) return call == CALL_LOCK;
  if (call == CALL_LOCK) return false;
  switch (harm) {
  case HARM_NONE: return true;
  case HARM_KILL_BEFORE:
  case HARM_KILL_AFTER: return changes(call);
  case HARM_TEAR: return call == CALL_WRITE;
  case HARM_SHORT: break;
  case HARM_ERROR:
    if (harm_error == EIO) return true;
    if (harm_error != ENOSPC) return call == CALL_OPEN || call == CALL_CREATE;
  }
  return call == CALL_CREATE || call == CALL_WRITE || call == CALL_RESIZE || call == CALL_NAME ||
         call == CALL_SYNC;
}

static bool ends(const char *path) {
  if (!only) return true;
  size_t length = strlen(path), tail = strlen(only);
  return length >= tail && strcmp(path + length - tail, only) == 0;
}

static void decide(struct verdict *verdict, enum call call, bool first) {
  switch (harm) {
  case HARM_NONE: return;
  case HARM_KILL_BEFORE: verdict->kill_before = true; break;
  case HARM_KILL_AFTER: verdict->kill_after = true; break;
  case HARM_TEAR: verdict->half = verdict->kill_after = true; break;
  case HARM_SHORT:
    if (first && call == CALL_WRITE) verdict->half = true;
    else verdict->error = ENOSPC;
    break;
  case HARM_ERROR: verdict->error = harm_error; break;
  }
  harmed = true;
}

struct verdict faults_judge(enum call call, const char *path) {
  struct verdict verdict = {0};
  if (!faults_takes(path)) return verdict;
  verdict.taken = true;
  pthread_mutex_lock(&mutex);
  if (counts && suits(call) && ends(path)) {
    counted++;
    // The error of the full disk follows the short write.
    long last = times + (harm == HARM_SHORT ? 1 : 0);
    bool due = at > 0 && counted >= at && (times == 0 || counted < at + last);
    if (due && !healed) decide(&verdict, call, counted == at);
  }
  pthread_mutex_unlock(&mutex);
  return verdict;
}

void faults_die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

void faults_begin(void) {
  pthread_once(&once, read_environment);
  faults_lock();
  faults_record(RECORD_BEGIN, "", "", 0, 0, NULL, 0);
  faults_unlock();
  pthread_mutex_lock(&mutex);
  counts = true;
  pthread_mutex_unlock(&mutex);
}

long faults_count(void) {
  pthread_mutex_lock(&mutex);
  long count = counted;
  pthread_mutex_unlock(&mutex);
  return count;
}

bool faults_harmed(void) {
  pthread_mutex_lock(&mutex);
  bool answer = harmed;
  pthread_mutex_unlock(&mutex);
  return answer;
}

void faults_heal(void) {
  pthread_mutex_lock(&mutex);
  healed = true;
  pthread_mutex_unlock(&mutex);
}
