// SPDX-License-Identifier: MIT
#ifndef SPORADES_FILES_H
#define SPORADES_FILES_H
#include <stdbool.h>
#include <stdint.h>

/// The numbers that tell a file from all others.
struct sporades_identity {
  uint64_t device;
  uint64_t number;
};

/// Asks which file lies at a path, and for nothing else; false sets `errno`.
bool sporades_identity_at(const char *path, struct sporades_identity *identity);

/// Asks which file a descriptor has open; false sets `errno`.
bool sporades_identity_of(int descriptor, struct sporades_identity *identity);

/// Gives a file another name, unless there is something with that name; returns 0 or the error's number.
int sporades_rename_new(const char *path, const char *target);

#endif
