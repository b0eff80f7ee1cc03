// SPDX-License-Identifier: MIT
#ifndef SPORADES_IMAGE_TYPES_H
#define SPORADES_IMAGE_TYPES_H

// The classes of the program that have a name, without their modules: each call gives the next one's metadata, and NULL
// after the last. `place` begins with 0. Generic classes are left out.
const void *sporades_next_class(const char *name, long *place);

// A word of the calling thread.
const void *sporades_waiting_seed(void);
void sporades_set_waiting_seed(const void *seed);

#endif
