// SPDX-License-Identifier: MIT
#ifndef RAW_ZLIB_SHIM_H
#define RAW_ZLIB_SHIM_H
#include <zlib.h>

// Expands bytes without a header in one call, and returns their number; -1 if they do not fit. The function that
// begins is a macro, which Swift cannot import.
static inline long raw_inflate(const void *bytes, int count, void *target, int capacity) {
  z_stream stream = {0};
  if (inflateInit2(&stream, -15) != Z_OK) return -1;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = (Bytef *)target;
  stream.avail_out = (uInt)capacity;
  int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return status == Z_STREAM_END ? (long)stream.total_out : -1;
}
#endif
