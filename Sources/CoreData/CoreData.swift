// SPDX-License-Identifier: MIT

// Programs that import CoreData see Foundation, as on Apple's platforms, and the members that its objects and ids have of the
// library. The library's other names stay out of their way.
@_exported public import Foundation
@_exported public import SporadesMissingFoundation

@_exported public import class SporadesGraph.ManagedObject
@_exported public import enum SporadesLive.FetchedResultsChangeType
@_exported public import struct SporadesModel.ManagedObjectID
