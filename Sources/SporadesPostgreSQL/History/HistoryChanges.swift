// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// The changes of one transaction, each object once: what is noted of one in several rows is one change.
struct HistoryChanges {
  private let plan: ServerPlan
  private let facts: PersistentHistoryTransaction.Facts
  private let first: Int64
  private var notes: [Note] = []
  private var places: [RowKey: Int] = [:]

  private struct Note {
    let key: RowKey
    let kind: ChangeKind
    /// Nil for an update whose properties a migration removed.
    var properties: Set<String>?
    let kept: [String?]?
  }

  init(_ plan: ServerPlan, _ facts: PersistentHistoryTransaction.Facts, first: Int64) {
    self.plan = plan
    self.facts = facts
    self.first = first
  }

  /// Adds a row. Inserts come first, updates next, deletes last. False if the model knows no such change.
  mutating func add(_ rows: ServerRows, _ row: Int) -> Bool {
    guard let kind = rows.integer(row, 1).flatMap(ChangeKind.init),
      let entity = rows.text(row, 2).flatMap(plan.number(ofEntity:)),
      let object = rows.integer(row, 3), 0...RowKey.largestPrimaryKey ~= object
    else { return false }
    let key = RowKey(entity: entity, primaryKey: object)
    let properties = rows.texts(row, 4).map { Set($0.compactMap(\.self)) }
    guard let place = places[key] else {
      places[key] = notes.count
      notes.append(
        Note(key: key, kind: kind, properties: properties, kept: rows.texts(row, 5)))
      return true
    }
    switch (notes[place].kind, kind) {
    case (.update, .update):
      notes[place].properties = (notes[place].properties ?? []).union(properties ?? [])
    case (.update, .delete):
      // Links that an object loses because it is deleted are no change of their own.
      notes[place] = Note(key: key, kind: kind, properties: nil, kept: rows.texts(row, 5))
    default: break
    }
    return true
  }

  /// The changes in the order in which a store notes them.
  var all: [PersistentHistoryChange] {
    notes.filter { $0.kind != .delete }.enumerated().map { change($1, $0) }
      + deletes(behind: notes.count { $0.kind != .delete })
  }

  private func deletes(behind count: Int) -> [PersistentHistoryChange] {
    notes.filter { $0.kind == .delete }.enumerated().map { change($1, count + $0) }
  }

  private func change(_ note: Note, _ place: Int) -> PersistentHistoryChange {
    let (type, details): (PersistentHistoryChange.ChangeType, PersistentHistoryChange.Details?) =
      switch note.kind {
      case .insert: (.insert, nil)
      case .update:
        (
          .update,
          note.properties.map { PersistentHistoryChange.Details(updatedProperties: $0) }
        )
      case .delete: (.delete, tombstone(note))
      }
    return PersistentHistoryChange(
      first + Int64(place), type, of: plan.id(note.key), details, in: facts)
  }

  /// The kept values of a deleted object; nil if its entity keeps none.
  private func tombstone(_ note: Note) -> PersistentHistoryChange.Details? {
    let attributes = plan.model.shape(numbered: note.key.entity).keptInHistory
    guard !attributes.isEmpty else { return nil }
    let texts = note.kept ?? []
    var kept: [String: String] = [:]
    for place in stride(from: 0, to: texts.count - 1, by: 2) {
      if let name = texts[place], let text = texts[place + 1] { kept[name] = text }
    }
    var values: [String: Value] = [:]
    for attribute in attributes {
      guard let text = kept[attribute.name] else { continue }
      let value = KeptText.value(text, attribute.type)
      if !value.isNull { values[attribute.name] = value }
    }
    return PersistentHistoryChange.Details(tombstone: values)
  }
}
