// SPDX-License-Identifier: MIT
#ifndef SPORADES_FAULTS_H
#define SPORADES_FAULTS_H

#include <stdbool.h>

// An executable that links this target has its own open(), write(), fsync() and so on. These functions count the
// calls below one folder, fail one of the calls or end the process in it, and keep a journal of all changes. The
// dynamic linker prefers the symbols of the executable to those of libc, so libsqlite3 and Foundation use the
// functions too.
//
//   SPORADES_FAULT_FOLDER   Calls on paths below this absolute path take part.
//   SPORADES_FAULT_HARM     The harm to a call:
//                             kill-before, kill-after   the process ends by SIGKILL
//                             tear                      half of a write, then SIGKILL
//                             short                     half of a write, then ENOSPC
//                             EIO, ENOSPC, EMFILE, EACCES, ENOLCK   the call fails
//                           The shim counts only calls that the harm can affect; see `suits` in plan.c.
//   SPORADES_FAULT_AT       The number of the harmed call, from 1; 0 counts and harms nothing.
//   SPORADES_FAULT_TIMES    The number of calls that fail from there on: 1 by default, 0 for all.
//   SPORADES_FAULT_ONLY     The end of the paths that take part, such as "-wal".
//   SPORADES_FAULT_JOURNAL  The file of the journal; it must lie outside of the folder.

/// Starts the count. Earlier calls take no harm.
void faults_begin(void);
/// The number of counted calls.
long faults_count(void);
/// Whether a call was harmed.
bool faults_harmed(void);
/// Ends the harm: later calls work as usual.
void faults_heal(void);
/// Writes a line of the program's output to the journal.
void faults_note(const char *text);

#endif
