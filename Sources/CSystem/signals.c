// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "signals.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { limit = 32 };

static atomic_uint counts[limit];
static struct sigaction remembered[limit];
/// The action that gets a signal after the count. It is written before `count` becomes the handler.
static struct sigaction followers[limit];

static bool is_known(int signal) { return signal > 0 && signal < limit; }

static void change_mask(int signal, int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(how, &set, NULL);
}

static bool is_handler(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) ||
         (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static void count(int signal, siginfo_t *info, void *context) {
  int error = errno;
  atomic_fetch_add(&counts[signal], 1);
  const struct sigaction *follower = &followers[signal];
  if (!is_handler(follower)) {
#if defined(__linux__)
    // Dispatch reads signals from a descriptor, which gets a signal only if no thread takes it. So this thread
    // blocks the signal, and sends it once more.
    change_mask(signal, SIG_BLOCK);
    kill(getpid(), signal);
#endif
  } else if (follower->sa_flags & SA_SIGINFO) {
    follower->sa_sigaction(signal, info, context);
  } else {
    follower->sa_handler(signal);
  }
  errno = error;
}

static bool is_counted(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == count;
}

bool sporades_ignores_signal(int signal) {
  struct sigaction present;
  return is_known(signal) && sigaction(signal, NULL, &present) == 0 && !is_handler(&present) &&
         present.sa_handler == SIG_IGN;
}

void sporades_remember_signal(int signal) {
  struct sigaction present;
  if (!is_known(signal) || sigaction(signal, NULL, &present) != 0) return;
  if (!is_counted(&present)) remembered[signal] = present;
}

void sporades_count_signal(int signal) {
  struct sigaction present;
  if (!is_known(signal) || sigaction(signal, NULL, &present) != 0 || is_counted(&present)) return;
  followers[signal] = present;
  if (!is_handler(&present)) {
    sigemptyset(&present.sa_mask);
    present.sa_flags = SA_RESTART;
  }
  present.sa_flags |= SA_SIGINFO;
  present.sa_sigaction = count;
  // The call fails only for signals that nobody can handle, and for those there is no source either.
  sigaction(signal, &present, NULL);
}

unsigned sporades_signal_count(int signal) {
  return is_known(signal) ? atomic_load(&counts[signal]) : 0;
}

void sporades_restore_signal(int signal) {
  if (!is_known(signal)) return;
  sigaction(signal, &remembered[signal], NULL);
  // The kernel looks for a waiting signal when a thread unblocks it. A signal that waits for another thread acts
  // in this one then.
  change_mask(signal, SIG_BLOCK);
  change_mask(signal, SIG_UNBLOCK);
}

void sporades_end_by_signal(int number) {
  signal(number, SIG_DFL);
  // Dispatch blocks signals on its threads, so the signal is unblocked before it is raised.
  change_mask(number, SIG_UNBLOCK);
  raise(number);
}
