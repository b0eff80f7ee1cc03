// SPDX-License-Identifier: MIT
#ifndef SPORADES_INHERITED_H
#define SPORADES_INHERITED_H
#include <stdbool.h>

// Signals that the process inherited as blocked. A parent that starts programs from a thread of Dispatch, as Foundation's
// `Process` does, blocks nearly all of them without meaning it. No handler runs then, so a descriptor gets such signals,
// on Linux. A program that has changed the mask of its first thread decided itself, and may wait for signals with
// `sigwait()`: then the descriptor gets none.

/// Reads a signal from the descriptor, if the process inherited it as blocked and has not changed its mask.
void sporades_read_inherited(int signal);
void sporades_leave_inherited(int signal);
/// Whether the descriptor gets the signal.
bool sporades_is_inherited(int signal);
/// Takes a signal from the descriptor; 0 if there is none.
int sporades_take_inherited(void);

#endif
