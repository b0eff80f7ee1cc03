// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// The history of a store, by names.
struct ChainHistory: Equatable {
  struct Change: Hashable, CustomStringConvertible {
    var entity: String
    let key: Int64
    let kind: Int64
    var names: Set<String>

    var description: String { "\(kind) \(entity) \(key) \(names.sorted())" }
  }

  private(set) var changes: [Change] = []

  static func begin(in path: String) throws {
    try PlainStore(path).run(AppHistory.tables(lastTransaction: 0))
  }

  init(of path: String, _ model: ManagedObjectModel) throws {
    let rows = try PlainStore(path).rows(
      "SELECT p.Z_NAME, c.ZENTITYPK, c.ZCHANGETYPE, c.ZCOLUMNS FROM ACHANGE c JOIN Z_PRIMARYKEY p "
        + "ON p.Z_ENT = c.ZENTITY WHERE p.Z_ENT < 16000 ORDER BY c.Z_PK")
    for row in rows {
      guard case .text(let entity) = row[0], case .integer(let key) = row[1],
        case .integer(let kind) = row[2], let shape = model.shape(named: entity)
      else { continue }
      var names: Set<String> = []
      if case .blob(let bytes) = row[3] {
        let slots = HistorySlots(shape, model)
        let places = try #require(slots.places(in: bytes), "\(entity) \(bytes)")
        names = Set(places.compactMap { Self.name(slots.slots[$0]) })
      }
      changes.append(Change(entity: entity, key: key, kind: kind, names: names))
    }
  }

  /// Nil for the columns that a relationship has beside its own.
  private static func name(_ slot: HistorySlots.Slot) -> String? {
    switch slot {
    case .attribute(let attribute, _): attribute.name
    case .toOne(let relationship, _), .toMany(let relationship): relationship.name
    case .entity, .position: nil
    }
  }

  /// The same history in the words of the next version. Changes of entities that are gone are left out.
  func renamed(by draft: ModelDraft) -> [Change] {
    changes.compactMap { change in
      guard let entity = draft.successor(of: change.entity) else { return nil }
      var change = change
      change.entity = entity
      change.names = Set(change.names.flatMap { draft.successors(of: $0, in: entity) })
      return change
    }
  }

  /// The same changes without keys, which move when tables come together.
  static func withoutKeys(_ changes: [Change]) -> [Change] {
    changes.map { Change(entity: $0.entity, key: 0, kind: $0.kind, names: $0.names) }
  }
}

extension ModelDraft {
  private static let key = "origin"

  /// The entity that was another one in the last version.
  fileprivate func successor(of name: String) -> String? {
    entities.first { $0.userInfo[Self.key] == name }?.name
  }

  /// The properties of an entity that were another one in the last version. The members of composites are named
  /// without their path.
  fileprivate func successors(of name: String, in entity: String) -> [String] {
    let line = lineage(entity)
    let attributes = line.flatMap(\.attributes).flatMap { attribute -> [String] in
      let all = attribute.type == .composite ? attribute.elements : [attribute]
      return all.filter {
        $0.userInfo[Self.key]?.split(separator: ".").last.map(String.init) == name
      }
      .map(\.name)
    }
    return attributes
      + line.flatMap(\.relationships).filter { $0.userInfo[Self.key] == name }.map(\.name)
  }
}
