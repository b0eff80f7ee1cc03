// SPDX-License-Identifier: MIT
#ifndef SPORADES_FILES_H
#define SPORADES_FILES_H
#include <stdbool.h>
#include <stdint.h>

/// The numbers that tell a file from all others, and its size.
struct sporades_identity {
  uint64_t device;
  uint64_t number;
  uint64_t size;
};

/// Asks which file lies at a path and for its size, and for nothing else; false sets `errno`.
bool sporades_identity_at(const char *path, struct sporades_identity *identity);

/// Asks which file a descriptor has open; false sets `errno`.
bool sporades_identity_of(int descriptor, struct sporades_identity *identity);

/// Gives a file another name, unless there is something with that name; returns 0 or the error's number.
int sporades_rename_new(const char *path, const char *target);

/// Lets two files or folders change places in one step; returns 0 or the error's number.
int sporades_exchange(const char *path, const char *target);

/// Waits until a file or folder is on the disk; returns 0 or the error's number.
int sporades_sync(const char *path);

#endif
