// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// The capability of a store that cannot keep everything that other stores keep. A ``StoreMove`` asks it before it writes
/// anything.
///
/// Besides what it names, such a store refuses links to objects that are not there, unless the relationship has no inverse,
/// or has the delete rule "no action".
public protocol LimitedStore: PersistentStore {
  /// Hands each value that the store would refuse to `body`: the index of its row in the page, the name of its property,
  /// and a sentence with the reason.
  func findUnkeepable(
    in page: RowPage, _ body: (_ index: Int, _ property: String, _ reason: String) -> Void
  )
}

/// A value or a link that a store cannot keep.
public struct Unkeepable: Sendable, CustomStringConvertible {
  /// The object with the value or the link, in the store that has it.
  public let objectID: ManagedObjectID
  /// The name of the property. The name of a composite's member follows after a point.
  public let property: String
  /// A sentence with the reason.
  public let reason: String

  public var description: String { "\(objectID).\(property): \(reason)" }
}
