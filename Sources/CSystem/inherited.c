// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "inherited.h"
#include "signals.h"

#if defined(__linux__)
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static sigset_t blocked_at_start;
/// The signals that the descriptor gets. Read and changed under the lock of the actions.
static sigset_t read_here;
static int descriptor = -1;

__attribute__((constructor)) static void note_mask_at_start(void) {
  sigemptyset(&read_here);
  // The call fails only for a wrong argument.
  pthread_sigmask(SIG_BLOCK, NULL, &blocked_at_start);
}

static unsigned long long bits(const sigset_t *set) {
  unsigned long long bits = 0;
  for (int number = 1; number <= 64; number++) {
    if (sigismember(set, number) == 1) bits |= 1ULL << (number - 1);
  }
  return bits;
}

/// Whether the first thread blocks now what it blocked at the start. A program that has changed its mask means it.
/// Other threads' masks are in the kernel's files only.
static bool keeps_mask_of_start(void) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/task/%d/status", (int)getpid());
  FILE *file = fopen(path, "re");
  if (!file) return false;
  char line[256];
  unsigned long long mask = 0;
  while (fgets(line, sizeof(line), file)) {
    if (sscanf(line, "SigBlk: %llx", &mask) == 1) break;
  }
  fclose(file);
  return mask == bits(&blocked_at_start);
}

static void update(void) {
  int updated = signalfd(descriptor, &read_here, SFD_NONBLOCK | SFD_CLOEXEC);
  if (updated >= 0) descriptor = updated;
}

void sporades_read_inherited(int number) {
  if (sigismember(&blocked_at_start, number) != 1 || !keeps_mask_of_start()) return;
  sigaddset(&read_here, number);
  update();
}

void sporades_leave_inherited(int number) {
  if (!sporades_is_inherited(number)) return;
  sigdelset(&read_here, number);
  update();
}

bool sporades_is_inherited(int number) { return sigismember(&read_here, number) == 1; }

int sporades_inherited_descriptor(void) { return descriptor; }

int sporades_take_inherited(void) {
  struct signalfd_siginfo info;
  if (descriptor < 0 || read(descriptor, &info, sizeof(info)) != sizeof(info)) return 0;
  return (int)info.ssi_signo;
}

#else

void sporades_read_inherited(int number) { (void)number; }
void sporades_leave_inherited(int number) { (void)number; }
bool sporades_is_inherited(int number) { (void)number; return false; }
int sporades_inherited_descriptor(void) { return -1; }
int sporades_take_inherited(void) { return 0; }

#endif
