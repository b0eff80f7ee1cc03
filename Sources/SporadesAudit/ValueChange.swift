// SPDX-License-Identifier: MIT
public import SporadesStore

/// One change of an attribute's value, as the history of a store has it.
public struct ValueChange<Content: Sendable>: Sendable {
  /// The object was inserted, updated or deleted.
  public let kind: PersistentHistoryChange.ChangeType
  /// The value before the change; nil for an insert, for no value, and where the history did not keep it.
  public let before: Content?
  /// The value after the change; nil for a delete, for no value, and where the history did not keep it.
  public let after: Content?
  /// Whether the history kept the values. It did not before the attribute asked for that, where another program wrote, and
  /// where a stored value is none of the attribute's present type.
  public let isKnown: Bool
  /// The transaction of the change, with its number, its moment and its author.
  public let transaction: PersistentHistoryTransaction

  /// The number of the transaction in its store.
  public var transactionNumber: Int64 { transaction.transactionNumber }
}

extension ValueChange: Equatable where Content: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.before == right.before && left.after == right.after
      && left.isKnown == right.isKnown && left.transactionNumber == right.transactionNumber
      && left.transaction.storeID == right.transaction.storeID
  }
}

extension ValueChange: CustomStringConvertible {
  public var description: String {
    func text(_ value: Content?) -> String { value.map { "\($0)" } ?? "nil" }
    let values = isKnown ? "\(text(before)) → \(text(after))" : "unknown"
    return "\(kind) \(values) in transaction \(transactionNumber)"
  }
}
