// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Carries the history of a store over to another version of its model.
///
/// Rules:
/// 1. A change keeps its transaction and its kind, and names its object and its properties by their new names. A removed
///    property leaves it.
/// 2. A kept value of a deleted object stays with its attribute, if its text means the same in the new type.
/// 3. The changes of an entity that is gone go. The transactions stay.
/// 4. The migration is a transaction without changes, with the author that a file's has.
struct ServerHistoryMigration {
  private let succession: RowSuccession

  private let bundle: String?

  init(_ succession: RowSuccession, bundle: String?) {
    (self.succession, self.bundle) = (succession, bundle)
  }

  /// What one entity's changes become.
  private struct Renaming {
    let old: String
    let new: String
    let offset: Int64
    let properties: [Pair]
    let kept: [Pair]
    /// The older version has these, and nothing else.
    let all: (properties: Set<String>, kept: Set<String>)

    /// Everything stays as it is.
    var isSame: Bool {
      old == new && offset == 0 && Self.isSame(properties, all.properties)
        && Self.isSame(kept, all.kept)
    }

    private static func isSame(_ pairs: [Pair], _ all: Set<String>) -> Bool {
      pairs.allSatisfy { $0.old == $0.new } && Set(pairs.map(\.old)) == all
    }
  }

  private struct Pair: Hashable {
    let old: String
    let new: String
  }

  /// Stands before new names until all old ones are gone, since entities can exchange their names.
  private static let mark = "/"

  func run(on connection: ServerConnection) throws(StoreError) {
    try carryOver(on: connection)
    let digest = succession.old.model.versionHashesDigest(inConfiguration: nil) ?? ""
    let author =
      "com.apple.coredata.schemamigrator: lightweight migration from model with digest { \(digest) }"
    // Nobody's own, so that all who follow the history are told.
    try connection.run(
      "INSERT INTO \(HistoryTables.transactions) (place, client, author, bundle, process) "
        + "VALUES (nextval('\(HistoryTables.places)'), $1, $2, $3, $4)",
      [
        .uuid([UInt8](repeating: 0, count: 16)), .text(author),
        bundle.map { .text($0) } ?? .null(.text), .text(HistoryProgram.process),
      ])
  }

  private func carryOver(on connection: ServerConnection) throws(StoreError) {
    var gone: [String] = []
    var renamings: [Renaming] = []
    for shape in succession.old.model.shapes {
      if let successor = succession.successor(of: shape.number) {
        let new = succession.new.model.shape(numbered: successor)
        renamings.append(renaming(shape, new))
      } else {
        gone.append(shape.name)
      }
    }
    let changes = HistoryTables.changes
    if !gone.isEmpty {
      try connection.run(
        "DELETE FROM \(changes) WHERE entity = ANY($1)", [.list(.text, gone.map { .text($0) })])
    }
    let needed = renamings.filter { !$0.isSame }
    guard !needed.isEmpty else { return }
    for renaming in needed { try connection.run(Self.rename, Self.values(renaming)) }
    try connection.run(
      "UPDATE \(changes) SET entity = substr(entity, 2) WHERE starts_with(entity, '\(Self.mark)')")
  }

  private static let rename = """
    UPDATE \(HistoryTables.changes) SET entity = $2, object = object + $3, \
    properties = CASE WHEN properties IS NOT NULL THEN coalesce((SELECT array_agg(n.new ORDER BY p.place) \
    FROM unnest(properties) WITH ORDINALITY p(name, place) JOIN unnest($4::text[], $5::text[]) n(old, new) \
    ON n.old = p.name), '{}') END, \
    kept = CASE WHEN kept IS NOT NULL THEN coalesce((SELECT array_agg(v.part ORDER BY i, v.place) \
    FROM generate_series(1, cardinality(kept), 2) i JOIN unnest($6::text[], $7::text[]) n(old, new) \
    ON n.old = kept[i] CROSS JOIN LATERAL (VALUES (1, n.new), (2, kept[i + 1])) v(place, part)), '{}') END \
    WHERE entity = $1
    """

  private static func values(_ renaming: Renaming) -> [ServerValue] {
    func list(_ names: [String]) -> ServerValue { .list(.text, names.map { .text($0) }) }
    return [
      .text(renaming.old), .text(mark + renaming.new), .int8(renaming.offset),
      list(renaming.properties.map(\.old)), list(renaming.properties.map(\.new)),
      list(renaming.kept.map(\.old)), list(renaming.kept.map(\.new)),
    ]
  }

  // MARK: - Names

  private func renaming(_ old: EntityShape, _ new: EntityShape) -> Renaming {
    Renaming(
      old: old.name, new: new.name, offset: succession.offset(of: old.number),
      properties: properties(new), kept: kept(old, new),
      all: (Set(Self.names(of: old)), Set(old.keptInHistory.map(\.name))))
  }

  private static func names(of shape: EntityShape) -> [String] {
    shape.attributes.filter { !leaves(of: $0, $0.name).isEmpty }.map(\.name)
      + shape.relationships.map(\.name)
  }

  /// The paths of an attribute's stored values.
  private static func leaves(of attribute: AttributeShape, _ path: String) -> [String] {
    attribute.elements.flatMap { leaves(of: $0, "\(path).\($0.name)") }
      + (attribute.slot == nil ? [] : [path])
  }

  /// An element of a composite attribute stands for the attribute.
  private static func property(_ path: String) -> String {
    path.split(separator: ".").first.map(String.init) ?? path
  }

  private func properties(_ new: EntityShape) -> [Pair] {
    var pairs: Set<Pair> = []
    for path in new.attributes.flatMap({ Self.leaves(of: $0, $0.name) }) {
      guard let source = succession.evolution.source(ofAttribute: path, in: new.name) else {
        continue
      }
      pairs.insert(Pair(old: Self.property(source), new: Self.property(path)))
    }
    for relationship in new.relationships {
      let source = succession.evolution.source(ofRelationship: relationship.name, in: new.name)
      if let source { pairs.insert(Pair(old: source, new: relationship.name)) }
    }
    return pairs.sorted { ($0.old, $0.new) < ($1.old, $1.new) }
  }

  private func kept(_ old: EntityShape, _ new: EntityShape) -> [Pair] {
    let former = old.keptInHistory
    return new.keptInHistory.compactMap { attribute in
      let source = succession.evolution.source(ofAttribute: attribute.name, in: new.name)
      guard let before = former.first(where: { $0.name == source }),
        KeptText.means(before.type, theSameAs: attribute.type)
      else { return nil }
      return Pair(old: before.name, new: attribute.name)
    }
  }
}
