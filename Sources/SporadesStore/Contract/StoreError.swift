// SPDX-License-Identifier: MIT
public import SporadesModel

/// Why a store refused or failed to do what it was asked.
///
/// Branch on ``code``: it is the part callers can act on, and it is the same for every store.
/// ``detail`` and ``underlying`` are for people and logs; they may name tables and columns, and
/// never hold values of rows.
public struct StoreError: Error, Sendable {
  public let code: Code
  public let detail: String
  public let underlying: (any Error)?

  public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
    self.code = code
    self.detail = detail
    self.underlying = underlying
  }

  public enum Code: Hashable, Sendable {
    /// Someone else changed or deleted rows this save was based on.
    case conflict([ManagedObjectID])
    /// Two objects agree where the model says that none may.
    case constraint(entity: String, properties: [String])
    /// Another process holds the store; trying again later can succeed.
    case busy
    /// The disk is full, or a quota is.
    case full
    /// A value has more bytes than the store can keep, or, without a property, the row of an object.
    case tooLarge(entity: String, property: String?)
    /// The file is damaged, or not a store at all.
    case corrupt
    /// The store was written with another model; the entities that differ.
    case incompatibleModel([String])
    /// The store may only be read.
    case readOnly
    /// There is no store at the place, and none can be made there.
    case cannotOpen
    /// The file was removed, moved or replaced while the store was open.
    case moved
    /// The request asks for something this store cannot do.
    case unsupported
    /// There is no store for the rows or the entity: none was added, none of those added holds the
    /// entity, or the one that did was removed.
    case noStore
    /// An object was linked to one of another store, which no store can keep.
    case linkAcrossStores(ManagedObjectID, relationship: String, ManagedObjectID)
    /// The store was closed.
    case closed
    /// The request took more steps than the store allows one, and was undone.
    case interrupted
    /// The operating system failed to read or write.
    case io
  }

  public var isRetryable: Bool {
    switch code {
    case .busy, .full, .io: true
    default: false
    }
  }
}

extension StoreError: PredicateRefusal {
  /// The refusal of a predicate, an order or an aggregate that does not fit the model. Contexts and
  /// services throw the error that it underlies.
  public init(refusing error: FetchPredicateError) {
    self.init(.unsupported, error.description, underlying: error)
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    guard let cause = underlying.map({ "\($0)" }), !detail.contains(cause) else { return detail }
    return "\(detail) (\(cause))"
  }
}
