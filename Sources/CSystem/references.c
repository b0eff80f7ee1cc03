// SPDX-License-Identifier: MIT
#include "references.h"

// Functions of Swift's runtime, for which the language has no names.
extern void *swift_retain_n(void *object, uint32_t count);
extern void swift_release_n(void *object, uint32_t count);

void sporades_retain(void *object, uint32_t count) { swift_retain_n(object, count); }

void sporades_release(void *object, uint32_t count) { swift_release_n(object, count); }
