// SPDX-License-Identifier: MIT
#ifndef SPORADES_SQLITE_SHIM_H
#define SPORADES_SQLITE_SHIM_H
#include <sqlite3.h>

// Variadic functions and function-pointer constants have no Swift spelling of their own.
static inline sqlite3_destructor_type sporades_transient(void) { return SQLITE_TRANSIENT; }
static inline sqlite3_destructor_type sporades_static(void) { return SQLITE_STATIC; }
static inline int sporades_configure(sqlite3 *handle, int setting, int isOn) {
  return sqlite3_db_config(handle, setting, isOn, (int *)0);
}
#endif
