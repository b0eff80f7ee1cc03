// SPDX-License-Identifier: MIT

// One import gives everything an application writes with.
@_exported public import SporadesChain
@_exported public import SporadesDAL
@_exported public import SporadesGraph
@_exported public import SporadesModel
@_exported public import SporadesModelFiles
@_exported public import SporadesSQLite
@_exported public import SporadesStore
