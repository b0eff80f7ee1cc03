// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "probe_signals.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *line) {
  // The test misses the line if the call fails.
  ssize_t count = write(STDOUT_FILENO, line, strlen(line));
  (void)count;
}

static void handle(int signal) {
  (void)signal;
  say("own handler\n");
}

static void handle_with_sender(int signal, siginfo_t *info, void *context) {
  (void)signal;
  say(info->si_pid == getppid() && context ? "own handler\n" : "a handler without a sender\n");
}

static struct sigaction former;

static void pass_on(int signal, siginfo_t *info, void *context) {
  handle(signal);
  if (former.sa_flags & SA_SIGINFO) {
    former.sa_sigaction(signal, info, context);
  } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
    former.sa_handler(signal);
  }
}

static void install(int signal, struct sigaction action, int flags) {
  action.sa_flags = SA_RESTART | flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &former);
}

void probe_handle(int signal) {
  install(signal, (struct sigaction){.sa_handler = handle}, 0);
}

void probe_handle_with_sender(int signal) {
  install(signal, (struct sigaction){.sa_sigaction = handle_with_sender}, SA_SIGINFO);
}

void probe_handle_once(int signal) {
  install(signal, (struct sigaction){.sa_handler = handle}, SA_RESETHAND);
}

void probe_handle_and_pass_on(int signal) {
  install(signal, (struct sigaction){.sa_sigaction = pass_on}, SA_SIGINFO);
}

void probe_ignore(int number) { signal(number, SIG_IGN); }

static sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

void probe_block(int signal) {
  sigset_t set = set_of(signal);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int probe_take(int signal) {
  sigset_t set = set_of(signal);
  int taken = 0;
  return sigwait(&set, &taken) == 0 ? taken : 0;
}

const char *probe_action(int signal) {
  struct sigaction present;
  if (sigaction(signal, NULL, &present) != 0) return "unknown";
  if (present.sa_flags & SA_SIGINFO) return "handler";
  return present.sa_handler == SIG_DFL   ? "default"
         : present.sa_handler == SIG_IGN ? "ignored"
                                         : "handler";
}

int probe_signal_a_child(int signal) {
  pid_t child = fork();
  if (child == 0) {
    // The alarm ends a child that the signal does not end.
    alarm(20);
    for (;;) pause();
  }
  int status = 0;
  if (child < 0 || kill(child, signal) != 0 || waitpid(child, &status, 0) != child) return 0;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
