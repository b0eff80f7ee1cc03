// SPDX-License-Identifier: MIT
public import SporadesModel

/// The reason why a store refused a request or failed.
///
/// Branch on ``code``, which is the same for every store. ``detail`` and ``underlying`` are for people and logs.
/// They may name tables and columns, and never contain values of rows.
public struct StoreError: DescribedError, Sendable {
  /// The kind of failure, to branch on.
  public let code: Code
  /// A sentence for people that names the failure and the remedy.
  public let detail: String
  /// The error of a lower layer that caused this error.
  public let underlying: (any Error)?

  /// Describes one failure.
  public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
    self.code = code
    self.detail = detail
    self.underlying = underlying
  }

  /// The kind of a failure.
  public enum Code: Hashable, Sendable {
    /// Somebody else changed or deleted rows that the save relies on.
    case conflict([ManagedObjectID])
    /// Two objects have the same values in the properties of a uniqueness constraint.
    case constraint(entity: String, properties: [String])
    /// Another process holds the store; trying again later can succeed.
    case busy
    /// The disk or the quota is full.
    case full
    /// A value is larger than the store can keep. Without a property, the whole row is too large.
    case tooLarge(entity: String, property: String?)
    /// The file is damaged, or not a store at all.
    case corrupt
    /// The store has another model. The names are the entities that differ.
    case incompatibleModel([String])
    /// The store has another version of the model, and cannot be changed into the program's.
    case cannotMigrate([MigrationProblem])
    /// Another process changed the store to another version of the model while it was open.
    case modelChanged
    /// The program cancelled the request.
    case cancelled
    /// The request took longer than its timeout.
    case timedOut
    /// The store is read-only.
    case readOnly
    /// The file of the store does not exist and cannot be created.
    case cannotOpen
    /// Somebody removed, moved or replaced the file while the store was open.
    case moved
    /// The store does not support the request.
    case unsupported
    /// The coordinator has no store for the rows or the entity. The program added none, or removed it.
    case noStore
    /// A relationship links an object to an object of another store, which no store can keep.
    case linkAcrossStores(ManagedObjectID, relationship: String, ManagedObjectID)
    /// The answer to a commit was lost, and nothing tells whether it took place.
    case unclear
    /// The store was closed.
    case closed
    /// The request took more steps than the store allows, and the store undid it.
    case interrupted
    /// The server that answers lacks writes that were acknowledged, or a position that the program asks for.
    case behind
    /// The history lacks transactions that the reader does not know.
    case historyExpired
    /// The operating system failed to read or write.
    case io
  }

  /// The same request may succeed later.
  public var isRetryable: Bool {
    switch code {
    case .busy, .full, .io: true
    default: false
    }
  }
}

extension StoreError: PredicateRefusal {
  /// Makes the refusal of a predicate, order or aggregate that does not fit the model. Contexts and services
  /// throw the underlying error.
  public init(refusing error: FetchPredicateError) {
    self.init(.unsupported, error.description, underlying: error)
  }
}

extension StoreError {
  public var description: String {
    guard let cause = underlying.map({ "\($0)" }), !detail.contains(cause) else { return detail }
    return "\(detail) (\(cause))"
  }
}
