// SPDX-License-Identifier: MIT

// A program that imports the service can use every type of its blocks without another import.
@_exported public import SporadesChain
@_exported public import SporadesGraph
@_exported public import SporadesModel
@_exported public import SporadesStore
