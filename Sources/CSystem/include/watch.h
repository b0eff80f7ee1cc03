// SPDX-License-Identifier: MIT
#ifndef SPORADES_WATCH_H
#define SPORADES_WATCH_H
#include <stdint.h>

// Notices of the system that somebody has written to a file. Linux has them.

/// Opens a descriptor that becomes readable when a watched file is written; -1 sets `errno`.
int sporades_open_watch(void);

/// Watches the file at a path. Returns a number that is the same for all paths of one file; -1 sets `errno`.
int sporades_add_watch(int watch, const char *path);

/// Ends what a call of `sporades_add_watch` began.
void sporades_remove_watch(int watch, int number);

/// Takes the numbers of files that were written from the descriptor, at most `count` of them. Returns how many, and 0
/// when there are none. A number of -1 says that the system has dropped notices.
int sporades_take_watched(int watch, int *numbers, int count);

#endif
