// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
import SporadesHistory
public import SporadesModel
import SporadesSQL
import SporadesStore

extension ManagedObjectContext {
  /// The changes of an object's attribute, the oldest first, with the values before and after each.
  ///
  /// ```swift
  /// for change in try context.valueHistory(of: account, \.balance) {
  ///   print(change.transaction.author ?? "?", change.before ?? 0, change.after ?? 0)
  /// }
  /// ```
  ///
  /// The attribute has the option `.keepsValuesInHistory`, and the store keeps a history. The call reads what is saved,
  /// and goes through all changes of the history.
  public func valueHistory<Object: ManagedObject, Content: AttributeConvertible & Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Content>
  ) throws -> [ValueChange<Content>] {
    try converted(valueHistory(of: object.objectID, name(of: keyPath)))
  }

  /// The changes of an object's optional attribute, the oldest first, with the values before and after each.
  public func valueHistory<Object: ManagedObject, Content: AttributeConvertible & Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Content?>
  ) throws -> [ValueChange<Content>] {
    try converted(valueHistory(of: object.objectID, name(of: keyPath)))
  }

  /// The changes of the attribute with a name, of an object that may be deleted.
  public func valueHistory(
    of id: ManagedObjectID, _ name: String
  ) throws -> [ValueChange<Value>] {
    let attribute = try keptAttribute(name, of: id)
    let fetch = PersistentHistoryChange.fetchRequest(
      where: try FetchPredicate(format: "changedObjectID == %@", id))
    // The request for the history commits what is accepted, so it comes first.
    let found = try execute(.fetchHistory(withFetch: fetch))
    let values = try keptValues(of: id, name)
    return found.transactions.flatMap { transaction in
      (transaction.changes ?? []).compactMap { change in
        Self.change(change, transaction, values[transaction.transactionNumber], attribute)
      }
    }
  }

  private func name<Object: ManagedObject>(of keyPath: PartialKeyPath<Object>) throws -> String {
    try keyPath.storedNames().joined(separator: ".")
  }

  private func converted<Content: AttributeConvertible & Sendable>(
    _ changes: [ValueChange<Value>]
  ) -> [ValueChange<Content>] {
    changes.map { change in
      func read(_ value: Value?) -> Content? { value.flatMap { $0.converted() as Content? } }
      let (before, after) = (read(change.before), read(change.after))
      let isKnown =
        change.isKnown && (before == nil) == (change.before == nil)
        && (after == nil) == (change.after == nil)
      return ValueChange(
        kind: change.kind, before: isKnown ? before : nil, after: isKnown ? after : nil,
        isKnown: isKnown, transaction: change.transaction)
    }
  }

  /// Nil for an update of other attributes.
  private static func change(
    _ change: PersistentHistoryChange, _ transaction: PersistentHistoryTransaction,
    _ kept: (old: SQLValue, new: SQLValue)?, _ attribute: AttributeShape
  ) -> ValueChange<Value>? {
    if kept == nil, change.changeType == .update,
      change.updatedProperties?.contains(attribute.name) == false
    {
      return nil
    }
    func value(_ stored: SQLValue) -> Value { stored.modelValue(attribute.type) }
    // A value that lost its meaning with a change of the attribute's type reads as null.
    let isKnown =
      kept.map { kept in
        value(kept.old).isNull == (kept.old == .null)
          && value(kept.new).isNull == (kept.new == .null)
      } ?? false
    func content(_ stored: SQLValue?) -> Value? {
      guard isKnown, let stored, stored != .null else { return nil }
      return value(stored)
    }
    return ValueChange(
      kind: change.changeType, before: content(kept?.old), after: content(kept?.new),
      isKnown: isKnown, transaction: change.transaction)
  }

  // MARK: - Refusals

  private func keptAttribute(_ name: String, of id: ManagedObjectID) throws -> AttributeShape {
    guard !id.isTemporaryID else {
      throw ValueHistoryError(
        code: .temporaryObject,
        description: "\(id) was never saved, so that it has no history. Save its context first.")
    }
    let shape = model.shape(numbered: id.key.entity)
    guard case .attribute(let attribute)? = shape[name], attribute.keepsValuesInHistory else {
      throw ValueHistoryError(
        code: .notKept,
        description:
          "The history keeps no former values of \(shape.name).\(name). Give the attribute the option "
          + ".keepsValuesInHistory, or its note \(AttributeDescription.keepsValuesKey) = YES in a model file; transient, "
          + "derived and composite attributes, values in files of their own and relationships have none."
      )
    }
    return attribute
  }

  private func keptValues(
    of id: ManagedObjectID, _ name: String
  ) throws -> [Int64: (old: SQLValue, new: SQLValue)] {
    try readStore(within: nil) { source, _ in
      guard let coordinator = source.store.coordinator else {
        return try Self.keptValues(of: id.key, name, in: source.store)
      }
      let key = RowKey(entity: id.key.entity, primaryKey: id.key.primaryKey)
      return try coordinator.answerOfOneStore(
        holding: [key.entity], identifier: id.storeIdentifier, in: source.view
      ) { store, _, _ in try Self.keptValues(of: key, name, in: store) }
    }
  }

  private static func keptValues(
    of key: RowKey, _ name: String, in store: any PersistentStore
  ) throws -> [Int64: (old: SQLValue, new: SQLValue)] {
    guard let store = store as? any KeptValueStore else {
      throw ValueHistoryError(
        code: .store,
        description:
          "The store \(store.placeText) is a \(type(of: store)), whose history keeps no former values. "
          + "Open a SQLiteStore.")
    }
    return try store.keptValues(of: key, named: name)
  }
}
