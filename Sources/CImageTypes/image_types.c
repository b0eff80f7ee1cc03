// SPDX-License-Identifier: MIT
#include "image_types.h"

#include <stdint.h>
#include <string.h>

// The linker puts the records of all Swift types of an image into one section, and names its ends.
extern const int32_t __start_swift5_type_metadata[] __attribute__((visibility("hidden"), weak));
extern const int32_t __stop_swift5_type_metadata[] __attribute__((visibility("hidden"), weak));

// docs/ABI/TypeMetadata.rst in Swift's sources: nominal type descriptors. Places are relative to themselves.
struct descriptor {
  uint32_t flags;
  int32_t parent;
  int32_t name;
  int32_t access;
};

enum { KIND = 0x1f, CLASS = 16, GENERIC = 0x80 };

struct answer {
  const void *metadata;
  size_t state;
};

static const void *at(const int32_t *relative) {
  return (const char *)relative + *relative;
}

const void *sporades_next_class(const char *name, long *place) {
  if (!__start_swift5_type_metadata) return NULL;
  const long count = __stop_swift5_type_metadata - __start_swift5_type_metadata;
  while (*place < count) {
    const int32_t *record = __start_swift5_type_metadata + (*place)++;
    // The lowest bit says that the record leads to another place, which leads to the type.
    const void *target = (const char *)record + (*record & ~3);
    const struct descriptor *type = *record & 1 ? *(const void *const *)target : target;
    if (!type || (type->flags & KIND) != CLASS || type->flags & GENERIC || !type->access) continue;
    if (strcmp(at(&type->name), name) != 0) continue;
    // The calling convention of Swift for these few words is that of C.
    const struct answer (*metadata)(size_t) = (const struct answer (*)(size_t))at(&type->access);
    return metadata(0).metadata;
  }
  return NULL;
}

static _Thread_local const void *waiting;

const void *sporades_waiting_seed(void) { return waiting; }

void sporades_set_waiting_seed(const void *seed) { waiting = seed; }
