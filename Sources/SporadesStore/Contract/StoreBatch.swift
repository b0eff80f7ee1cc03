// SPDX-License-Identifier: MIT
public import SporadesModel

/// A change of many rows that a store makes itself, without giving the rows to its caller first.
public struct StoreBatch: Sendable {
  /// The rows that the batch changes or deletes.
  public package(set) var fetch: StoreFetch
  /// The work on each row.
  public let work: Work
  /// The promise of the batch's commit, which the caller of the store fulfils.
  public let durability: Durability
  /// The author of the changes, for the store's history.
  public let author: String?
  /// The name of the context that made the changes, for the store's history.
  public let contextName: String?

  /// Describes a batch.
  public init(
    _ work: Work, _ fetch: StoreFetch, durability: Durability = .eventual, author: String? = nil,
    contextName: String? = nil
  ) {
    self.work = work
    self.fetch = fetch
    self.durability = durability
    self.author = author
    self.contextName = contextName
  }

  /// The work on each row of a batch.
  public enum Work: Sendable {
    /// Sets attributes. All expressions read the row as it was before the batch.
    case update([Assignment])
    /// Deletes the row, and carries out the delete rules of the model.
    case delete
  }

  /// A new value for one attribute.
  public struct Assignment: Sendable {
    /// The attribute, which has a slot.
    public let attribute: AttributeShape
    /// The number of the attribute's slot.
    public let slot: Int
    /// The value, or the expression that gives it. A constant fits the attribute and its rules.
    public let expression: FetchExpression

    /// Assigns the result of an expression; nil for an attribute that no store keeps.
    public init?(_ attribute: AttributeShape, _ expression: FetchExpression) {
      guard let slot = attribute.slot else { return nil }
      self.attribute = attribute
      self.slot = slot
      self.expression = expression
    }

    /// The same assignment with other ids in the expression.
    package func replacingIDs(_ body: (ManagedObjectID) -> ManagedObjectID) -> Assignment? {
      Assignment(attribute, expression.replacingIDs(body))
    }
  }
}

/// The changes that a store made for a batch.
public struct BatchEffects: Sendable {
  /// All changes: those of the batch's own rows, and those of its delete rules.
  public let changes: ChangeSet
  /// The keys of the batch's own rows that changed.
  public let keys: [RowKey]

  /// Names the changes of a batch.
  public init(changes: ChangeSet, keys: [RowKey]) {
    self.changes = changes
    self.keys = keys
  }
}

/// Rows that a store changed itself. A context reads those that it has in memory.
public struct RewrittenRows: Sendable {
  /// The keys of the rows.
  public let keys: [RowKey]
  /// The slots that changed.
  public let slots: [Int]

  /// Names rows and the slots that changed in them.
  public init(keys: [RowKey], slots: [Int]) {
    self.keys = keys
    self.slots = slots
  }
}
