// SPDX-License-Identifier: MIT

// A program with containers uses services and stacks beside them.
@_exported public import Sporades
