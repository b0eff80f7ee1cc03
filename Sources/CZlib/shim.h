// SPDX-License-Identifier: MIT
#ifndef SPORADES_ZLIB_SHIM_H
#define SPORADES_ZLIB_SHIM_H
#include <zlib.h>

// The functions that begin are macros with a hidden size, which have no Swift spelling of their own. Negative
// window bits mean bytes without a header.
static inline int sporades_inflate_begins(z_stream *stream) {
  return inflateInit2(stream, -15) == Z_OK;
}
// The window and the tables are as large as the input needs, because zlib sets all of their memory to zero.
static inline int sporades_deflate_begins(z_stream *stream, size_t length) {
  int bits = 9;
  while (bits < 15 && length > (size_t)1 << bits) bits++;
  int level = bits < 14 ? bits - 6 : 8;
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -bits, level, Z_DEFAULT_STRATEGY) == Z_OK;
}

typedef enum { SporadesStepGoesOn, SporadesStepIsLast, SporadesStepFailed } SporadesStep;
static inline SporadesStep sporades_step(int status) {
  return status == Z_OK ? SporadesStepGoesOn : status == Z_STREAM_END ? SporadesStepIsLast : SporadesStepFailed;
}
static inline SporadesStep sporades_inflate(z_stream *stream) { return sporades_step(inflate(stream, Z_NO_FLUSH)); }
static inline SporadesStep sporades_deflate(z_stream *stream) { return sporades_step(deflate(stream, Z_FINISH)); }
#endif
