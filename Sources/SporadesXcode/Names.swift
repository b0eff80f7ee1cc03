// SPDX-License-Identifier: MIT

// A program that opens model files reads and writes them, too.
@_exported public import SporadesModelFiles
