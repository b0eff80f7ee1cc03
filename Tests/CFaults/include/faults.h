// SPDX-License-Identifier: MIT
#ifndef SPORADES_FAULTS_H
#define SPORADES_FAULTS_H

#include <stdbool.h>

// An executable that links this target has its own open(), write(), fsync() and so on. They count the
// calls below one folder, fail one of them or end the process there, and keep a journal of what they
// changed. The dynamic linker prefers the symbols of the executable to those of libc, so that
// libsqlite3 and Foundation use them too.
//
//   SPORADES_FAULT_FOLDER   Calls on paths below this absolute path take part.
//   SPORADES_FAULT_HARM     What happens to a call:
//                             kill-before, kill-after   the process ends by SIGKILL
//                             tear                      half of a write, then SIGKILL
//                             short                     half of a write, then ENOSPC
//                             EIO, ENOSPC, EMFILE, EACCES   the call fails
//                           Only calls that the harm can meet are counted: see `suits` in plan.c.
//   SPORADES_FAULT_AT       The number of the harmed call, from 1; 0 counts and harms nothing.
//   SPORADES_FAULT_TIMES    How many calls fail from there on: 1 unless set, 0 for all.
//   SPORADES_FAULT_ONLY     Only paths that end so take part, "-wal" for one.
//   SPORADES_FAULT_JOURNAL  The file of the journal; it must lie outside of the folder.

/// Counts from here on; what was called before takes no harm.
void faults_begin(void);
/// The number of calls counted so far.
long faults_count(void);
/// Whether a call was harmed.
bool faults_harmed(void);
/// Harms nothing from here on.
void faults_heal(void);
/// Puts a line into the journal: what the program has acknowledged by now.
void faults_note(const char *text);

#endif
