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

// The table and the column whose values a column of an answer has. Builds of SQLite without SQLITE_ENABLE_COLUMN_METADATA
// lack these functions, and then there is no answer.
extern const char *sqlite3_column_table_name(sqlite3_stmt *, int) __attribute__((weak));
extern const char *sqlite3_column_origin_name(sqlite3_stmt *, int) __attribute__((weak));
static inline const char *sporades_column_table(sqlite3_stmt *statement, int column) {
  return sqlite3_column_table_name ? sqlite3_column_table_name(statement, column) : 0;
}
static inline const char *sporades_column_origin(sqlite3_stmt *statement, int column) {
  return sqlite3_column_origin_name ? sqlite3_column_origin_name(statement, column) : 0;
}

// The header of the write-ahead log's index: 48 bytes that every commit of every process changes
// (https://sqlite.org/walformat.html#the_wal_index_header).
enum { SPORADES_HEADER_WORDS = 6 };
typedef struct {
  unsigned long long words[SPORADES_HEADER_WORDS];
} sporades_log_header;

// The header in the memory that all connections to the database share. It stays there while the
// connection has a transaction open. NULL for a database without a log.
static inline const volatile void *sporades_log_header_place(sqlite3 *handle) {
  sqlite3_file *file = 0;
  volatile void *region = 0;
  // The size of every region of the index.
  const int size = 32768;
  if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  int code = file->pMethods->xShmMap(file, 0, size, 0, &region);
  return code == SQLITE_OK || code == SQLITE_READONLY ? region : 0;
}

static inline sporades_log_header sporades_read_log_header(const volatile void *place) {
  const volatile unsigned long long *shared = (const volatile unsigned long long *)place;
  sporades_log_header header;
  for (int word = 0; word < SPORADES_HEADER_WORDS; word++) header.words[word] = shared[word];
  return header;
}

// The number of frames in the log; 0 if checkpoints have moved all of them. The number of frames is the fifth word
// of the header, and the number of moved ones follows the header and its second copy.
static inline unsigned int sporades_log_frames(const volatile void *place) {
  const volatile unsigned int *shared = (const volatile unsigned int *)place;
  const unsigned int frames = shared[4];
  const unsigned int moved = shared[24];
  return moved == frames ? 0 : frames;
}

static inline int sporades_is_log_header(sporades_log_header header, const volatile void *place) {
  const volatile unsigned long long *shared = (const volatile unsigned long long *)place;
  for (int word = 0; word < SPORADES_HEADER_WORDS; word++) {
    if (header.words[word] != shared[word]) return 0;
  }
  return 1;
}

// Copies the header. Returns 0 while a commit is writing it: the header lies there twice, SQLite writes the second one
// first, and each ends with a sum of its first ten words.
static inline int sporades_read_settled_log_header(
    const volatile void *place, sporades_log_header *header) {
  const volatile unsigned long long *shared = (const volatile unsigned long long *)place;
  *header = sporades_read_log_header(shared);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!sporades_is_log_header(*header, shared + SPORADES_HEADER_WORDS)) return 0;
  const unsigned int *words = (const unsigned int *)header->words;
  unsigned int first = 0, second = 0;
  for (int word = 0; word < 10; word += 2) {
    first += words[word] + second;
    second += words[word + 1] + first;
  }
  const int isMade = ((const unsigned char *)header->words)[12] != 0;
  return isMade && words[10] == first && words[11] == second;
}

// The number of frames in the log that the header counts.
static inline unsigned int sporades_header_frames(sporades_log_header header) {
  return ((const unsigned int *)header.words)[4];
}
#endif
