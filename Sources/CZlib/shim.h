// SPDX-License-Identifier: MIT
#ifndef SPORADES_ZLIB_SHIM_H
#define SPORADES_ZLIB_SHIM_H
#include <zlib.h>

// The functions that begin are macros with a hidden size, which have no Swift spelling of their own. Negative
// window bits mean bytes without a header.
static inline int sporades_inflate_begins(z_stream *stream) {
  return inflateInit2(stream, -15) == Z_OK;
}
static inline int sporades_deflate_begins(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK;
}

typedef enum { SporadesStepGoesOn, SporadesStepIsLast, SporadesStepFailed } SporadesStep;
static inline SporadesStep sporades_step(int status) {
  return status == Z_OK ? SporadesStepGoesOn : status == Z_STREAM_END ? SporadesStepIsLast : SporadesStepFailed;
}
static inline SporadesStep sporades_inflate(z_stream *stream) { return sporades_step(inflate(stream, Z_NO_FLUSH)); }
static inline SporadesStep sporades_deflate(z_stream *stream) { return sporades_step(deflate(stream, Z_FINISH)); }
#endif
