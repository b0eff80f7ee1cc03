// SPDX-License-Identifier: MIT
#ifndef RAW_SQLITE_SHIM_H
#define RAW_SQLITE_SHIM_H
#include <sqlite3.h>

// A function-pointer constant, which Swift cannot import.
static inline sqlite3_destructor_type raw_static(void) { return SQLITE_STATIC; }
#endif
