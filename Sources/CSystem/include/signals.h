// SPDX-License-Identifier: MIT
#ifndef SPORADES_SIGNALS_H
#define SPORADES_SIGNALS_H
#include <stdbool.h>

// A handler of ours stands before the action that a signal had, and calls it. The functions know signals below 32 and
// leave others alone. Any thread may call them.

/// Hears a signal from now on, once for each call of `sporades_leave_signal` that follows. Returns false, and changes
/// nothing, if the process ignores the signal or nothing can be installed. A handler that came after ours stays.
bool sporades_hear_signal(int signal);

/// Ends what a call of `sporades_hear_signal` began. Returns true if it was the last one. The signal then has its
/// former action again, unless somebody has installed another one meanwhile.
bool sporades_leave_signal(int signal);

/// The number of arrivals that end the process, because no other handler has the signal.
unsigned sporades_ending_count(int signal);

/// The number of arrivals that another handler of the program got, too.
unsigned sporades_handled_count(int signal);

/// The descriptor that becomes readable when a signal arrives; -1 if there can be none.
int sporades_signal_descriptor(void);

/// A second descriptor of that kind, for signals that the parent process blocked; -1 if there are none.
int sporades_inherited_descriptor(void);

/// Empties both descriptors, and counts the arrivals that the second one held.
void sporades_drain_signal_descriptors(void);

/// Gives a signal its former action back before the process ends, whoever hears it. Lets a signal that waits for the
/// process act at once, in the calling thread.
void sporades_restore_signal(int signal);

/// Sends the process a signal, which acts before the call returns unless the thread blocks it.
void sporades_send_signal(int signal);

/// Ends the process as the signal does that nobody handles. Returns only if something keeps the process alive.
void sporades_end_by_signal(int signal);

#endif
