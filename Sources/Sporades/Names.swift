// SPDX-License-Identifier: MIT

// A program that imports Sporades can use every module of the keep without another import. The rings are products of
// their own.
@_exported public import SporadesChain
@_exported public import SporadesDAL
@_exported public import SporadesGraph
@_exported public import SporadesModel
@_exported public import SporadesSQLite
@_exported public import SporadesStore
