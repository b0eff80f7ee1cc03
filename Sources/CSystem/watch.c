// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "watch.h"
#include <errno.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/inotify.h>

int sporades_open_watch(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int sporades_add_watch(int watch, const char *path) {
  // A file that is removed or replaced loses a name, which changes what the system notes about it.
  return inotify_add_watch(watch, path, IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF);
}

// Fails only where the system has removed the watch itself, with the file.
void sporades_remove_watch(int watch, int number) { (void)inotify_rm_watch(watch, number); }

int sporades_take_watched(int watch, int *numbers, int count) {
  // A notice of a file has no name, so each has the size of its head. The file system may add a name nevertheless.
  char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
  int taken = 0;
  int room = count < (int)(sizeof(buffer) / sizeof(struct inotify_event))
                 ? count
                 : (int)(sizeof(buffer) / sizeof(struct inotify_event));
  ssize_t size = read(watch, buffer, (size_t)room * sizeof(struct inotify_event));
  for (ssize_t place = 0; place < size && taken < count;) {
    const struct inotify_event *event = (const struct inotify_event *)(buffer + place);
    if (event->mask & IN_Q_OVERFLOW) {
      numbers[taken++] = -1;
    } else if (event->mask & (IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF)) {
      numbers[taken++] = event->wd;
    }
    place += (ssize_t)(sizeof(struct inotify_event) + event->len);
  }
  return taken;
}

#else

int sporades_open_watch(void) {
  errno = ENOSYS;
  return -1;
}

int sporades_add_watch(int watch, const char *path) {
  (void)watch, (void)path;
  errno = ENOSYS;
  return -1;
}

void sporades_remove_watch(int watch, int number) { (void)watch, (void)number; }

int sporades_take_watched(int watch, int *numbers, int count) {
  (void)watch, (void)numbers, (void)count;
  return 0;
}

#endif
