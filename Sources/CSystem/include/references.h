// SPDX-License-Identifier: MIT
#ifndef SPORADES_REFERENCES_H
#define SPORADES_REFERENCES_H
#include <stdint.h>

/// Counts so many references to a Swift object more, at once. Each of them has to be released.
void sporades_retain(void *object, uint32_t count);

/// Releases so many references at once.
void sporades_release(void *object, uint32_t count);

#endif
