// SPDX-License-Identifier: MIT
#ifndef SPORADES_SIGNALS_H
#define SPORADES_SIGNALS_H
#include <stdbool.h>

// One thread at a time may call the functions that change a handler. They know signals below 32 and leave others
// alone.

/// Whether the process ignores a signal.
bool sporades_ignores_signal(int signal);

/// Remembers the present handler of a signal, for `sporades_restore_signal`.
void sporades_remember_signal(int signal);

/// Counts each arrival of a signal from now on, and passes the signal on to the present handler. Without a handler,
/// the signal stays where Dispatch reads it. A second call changes nothing.
void sporades_count_signal(int signal);

/// The number of counted arrivals.
unsigned sporades_signal_count(int signal);

/// Puts the remembered handler back. Lets a signal that waits for the process act at once, in the calling thread.
void sporades_restore_signal(int signal);

/// Ends the process as the signal does that nobody handles. Returns only if something keeps the process alive.
void sporades_end_by_signal(int signal);

#endif
