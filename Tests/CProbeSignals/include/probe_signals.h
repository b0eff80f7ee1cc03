// SPDX-License-Identifier: MIT
#ifndef PROBE_SIGNALS_H
#define PROBE_SIGNALS_H
#include <stdbool.h>

// Handlers as programs install them. Each writes the line "own handler".

/// Installs a handler for the number of a signal.
void probe_handle(int signal);
/// Installs a handler that gets the sender of the signal. It writes its line if the sender is there.
void probe_handle_with_sender(int signal);
/// Installs a handler for one arrival.
void probe_handle_once(int signal);
/// Installs a handler that also calls the present one, as it finds it.
void probe_handle_and_pass_on(int signal);
void probe_ignore(int signal);
/// Blocks a signal in the calling thread, and in the threads that it makes from now on.
void probe_block(int signal);
/// Waits for a blocked signal. Returns its number, or 0.
int probe_take(int signal);
/// The action of a signal: "default", "ignored" or "handler".
const char *probe_action(int signal);
/// Makes a child without `exec()`, sends it a signal, and returns the signal that ended it, or 0.
int probe_signal_a_child(int signal);

#endif
