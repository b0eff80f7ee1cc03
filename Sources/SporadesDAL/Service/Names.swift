// SPDX-License-Identifier: MIT

// What the blocks of a service meet is theirs without another import.
@_exported public import SporadesChain
@_exported public import SporadesGraph
@_exported public import SporadesModel
@_exported public import SporadesStore
