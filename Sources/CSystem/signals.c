// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "signals.h"
#include "inherited.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { limit = 32 };

/// The state of one signal. The handler reads `former`, which changes only while no handler of ours is installed.
struct heard {
  atomic_uint endings;
  atomic_uint handled;
  /// Somebody hears the signal.
  atomic_bool is_heard;
  /// The calls of `sporades_hear_signal` that have not ended.
  int hearers;
  /// Ours was installed and not removed. A handler that came later may call it.
  bool is_installed;
  /// The action that ours stands before.
  struct sigaction former;
};

static struct heard signals[limit];
/// Held by each change of an action.
static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER;
/// The ends of a pipe: for reading, for writing.
static int descriptors[2] = {-1, -1};
/// The process that reads the pipe. A child of `fork()` shares the pipe, and must not wake its parent.
static pid_t process;

static bool is_known(int signal) { return signal > 0 && signal < limit; }

static int change_mask(int signal, int how, sigset_t *former) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return pthread_sigmask(how, &set, former);
}

static bool is_handler(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) ||
         (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

// MARK: - The handler

static void act_by_default(int number) {
  signal(number, SIG_DFL);
  // The kernel blocks a signal while its handler runs.
  change_mask(number, SIG_UNBLOCK, NULL);
  raise(number);
}

static bool is_ours(const struct sigaction *action);

/// Whether another handler decides what follows: one that ours calls, or a later one, which may have called ours.
static bool has_other_handler(int number) {
  struct sigaction present;
  return is_handler(&signals[number].former) || sigaction(number, NULL, &present) != 0 ||
         !is_ours(&present);
}

static void note(int number, siginfo_t *info, void *context) {
  int error = errno;
  struct heard *heard = &signals[number];
  const struct sigaction *former = &heard->former;
  bool is_handled = has_other_handler(number);
  bool is_heard = atomic_load(&heard->is_heard) && getpid() == process;
  if (is_heard) {
    atomic_fetch_add(is_handled ? &heard->handled : &heard->endings, 1);
    // A pipe that is full wakes its reader anyway.
    if (write(descriptors[1], "", 1) < 0) errno = error;
  }
  if (is_handler(former)) {
    if (former->sa_flags & SA_SIGINFO) {
      former->sa_sigaction(number, info, context);
    } else {
      former->sa_handler(number);
    }
  } else if (!is_heard && !is_handled) {
    act_by_default(number);
  }
  errno = error;
}

// Two forms, because a program may call the one that it finds as it would call the action before ours.
static void note_plain(int number) { note(number, NULL, NULL); }
static void note_info(int number, siginfo_t *info, void *context) { note(number, info, context); }

static bool is_ours(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO ? action->sa_sigaction == note_info
                                       : action->sa_handler == note_plain;
}

// MARK: - Actions

static bool make_pipe(void) {
  if (descriptors[0] >= 0) return true;
  int ends[2];
  if (pipe(ends) != 0) return false;
  for (int end = 0; end < 2; end++) {
    if (fcntl(ends[end], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[end], F_SETFL, O_NONBLOCK) != 0) {
      close(ends[0]);
      close(ends[1]);
      return false;
    }
  }
  descriptors[0] = ends[0];
  descriptors[1] = ends[1];
  process = getpid();
  return true;
}

/// Puts our handler before the present action. The flags and the mask of a handler stay, because ours calls it.
static bool install(int number, struct heard *heard, const struct sigaction *present) {
  struct sigaction action = *present;
  if (!is_handler(present)) {
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | SA_ONSTACK;
  }
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction = note_info;
  } else {
    action.sa_handler = note_plain;
  }
  heard->former = *present;
  return sigaction(number, &action, NULL) == 0;
}

static bool hear(int number, struct heard *heard) {
  struct sigaction present;
  if (!make_pipe() || sigaction(number, NULL, &present) != 0) return false;
  if (!is_handler(&present) && present.sa_handler == SIG_IGN) return false;
  bool was_heard = atomic_exchange(&heard->is_heard, true);
  // A handler that came after ours may call ours, so ours must not call it.
  bool stays = is_ours(&present) || (heard->is_installed && is_handler(&present));
  if (!stays && !install(number, heard, &present)) {
    atomic_store(&heard->is_heard, was_heard);
    return false;
  }
  heard->is_installed = true;
  heard->hearers++;
  sporades_read_inherited(number);
  return true;
}

bool sporades_hear_signal(int number) {
  if (!is_known(number)) return false;
  pthread_mutex_lock(&changes);
  bool hears = hear(number, &signals[number]);
  pthread_mutex_unlock(&changes);
  return hears;
}

/// Puts the former action back. Returns without a change if ours is not the present one.
static void remove_ours(int number, struct heard *heard) {
  struct sigaction present;
  atomic_store(&heard->is_heard, false);
  sporades_leave_inherited(number);
  if (sigaction(number, NULL, &present) != 0 || !is_ours(&present)) return;
  if (sigaction(number, &heard->former, NULL) == 0) heard->is_installed = false;
}

bool sporades_leave_signal(int number) {
  if (!is_known(number)) return false;
  pthread_mutex_lock(&changes);
  struct heard *heard = &signals[number];
  bool is_last = heard->hearers == 1;
  if (heard->hearers > 0) heard->hearers--;
  if (is_last) remove_ours(number, heard);
  pthread_mutex_unlock(&changes);
  return is_last;
}

void sporades_restore_signal(int number) {
  if (!is_known(number)) return;
  pthread_mutex_lock(&changes);
  bool is_inherited = sporades_is_inherited(number);
  remove_ours(number, &signals[number]);
  pthread_mutex_unlock(&changes);
  // The kernel looks for a waiting signal when a thread unblocks it. A signal that waits for another thread acts
  // in this one then, unless the program blocked it in this thread.
  sigset_t former;
  if (change_mask(number, SIG_BLOCK, &former) != 0) return;
  if (is_inherited) sigdelset(&former, number);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
}

void sporades_send_signal(int number) { kill(getpid(), number); }

void sporades_end_by_signal(int number) { act_by_default(number); }

// MARK: - Arrivals

unsigned sporades_ending_count(int number) {
  return is_known(number) ? atomic_load(&signals[number].endings) : 0;
}

unsigned sporades_handled_count(int number) {
  return is_known(number) ? atomic_load(&signals[number].handled) : 0;
}

int sporades_signal_descriptor(void) { return make_pipe() ? descriptors[0] : -1; }

void sporades_drain_signal_descriptors(void) {
  char bytes[64];
  ssize_t count;
  do {
    count = read(descriptors[0], bytes, sizeof(bytes));
  } while (count > 0 || (count < 0 && errno == EINTR));
  int number;
  while ((number = sporades_take_inherited()) != 0) {
    if (!is_known(number)) continue;
    atomic_fetch_add(
        has_other_handler(number) ? &signals[number].handled : &signals[number].endings, 1);
  }
}
