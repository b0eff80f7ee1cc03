// SPDX-License-Identifier: MIT
// Debian keeps the header in a folder of its own, others beside all headers.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
