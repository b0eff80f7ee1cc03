// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite
import SporadesStore

/// The report that `inspect` prints of a store.
struct StoreReport {
  private struct Entity {
    let name: String
    let parent: String?
    let isAbstract: Bool
    let attributes: Int
    let relationships: Int
    /// The rows of the entity itself.
    let count: Int
  }

  private let path: String
  private let identifier: String
  private let framework: String?
  private let origin: GivenStore.Origin
  private let versions: [String]
  private let entities: [Entity]
  private let files: StoreFiles
  private let history: HistoryEnds?

  init(_ given: GivenStore) throws {
    let store = given.store
    let metadata = try store.metadata()
    path = given.path
    identifier = store.identifier
    framework = metadata["NSPersistenceFrameworkVersion"].map(Self.text)
    origin = given.origin
    versions = given.model.versionIdentifiers.filter { !$0.isEmpty }.sorted()
    entities = try given.heldShapes.map { shape in
      Entity(
        name: shape.name, parent: given.parent(of: shape), isAbstract: shape.isAbstract,
        attributes: shape.attributes.count,
        relationships: shape.relationships.count,
        count: shape.isAbstract
          ? 0 : try store.count(StoreFetch(shape, includesSubentities: false), in: given.view))
    }
    files = try StoreFiles(ofStoreAt: given.path)
    history = try store.keepsHistory ? store.historyEnds() : nil
  }

  private static func text(_ value: MetadataValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    default: "\(value)"
    }
  }

  // MARK: - In JSON

  var json: JSON {
    var reason: [(String, JSON)] = []
    if case .inferred(let sentence) = origin { reason = [("modelReason", .text(sentence))] }
    return .object(
      [
        ("uuid", .text(identifier)), ("framework", .optional(framework)),
        ("model", .text(origin.word)),
      ] + reason + [
        ("modelVersions", .texts(versions)),
        ("entities", .object(entities.map { ($0.name, Self.json($0)) })),
        ("files", files.json),
        ("history", history.map(Self.json) ?? .null),
      ])
  }

  private static func json(_ entity: Entity) -> JSON {
    .object([
      ("count", .count(entity.count)), ("parent", .optional(entity.parent)),
      ("abstract", .bool(entity.isAbstract)), ("attributes", .count(entity.attributes)),
      ("relationships", .count(entity.relationships)),
    ])
  }

  private static func json(_ history: HistoryEnds) -> JSON {
    .object([
      ("deletedThrough", .integer(history.deleted)), ("lastTransaction", .integer(history.last)),
    ])
  }

  // MARK: - For people

  func print(to output: Output) throws {
    let terminal = output.terminal
    var facts = [
      ("Store", path), ("UUID", identifier),
      ("Framework", framework ?? "not told by the store"), ("Model", modelSentence),
    ]
    if !versions.isEmpty { facts.append(("Version", versions.joined(separator: ", "))) }
    facts += files.facts
    facts.append(("History", historySentence))
    for (name, text) in facts {
      let title = name.padded(to: 11)
      try output.printLine(terminal.bold(title) + TextTable.harmless(text))
    }
    try output.printLine("")
    var table = TextTable([
      .init(title: "Entity"), .init(title: "Rows", isNumber: true),
      .init(title: "Attributes", isNumber: true), .init(title: "Relationships", isNumber: true),
      .init(title: "Parent"),
    ])
    for entity in entities {
      table.add([
        entity.name, entity.isAbstract ? "abstract" : String(entity.count),
        String(entity.attributes), String(entity.relationships), entity.parent ?? "",
      ])
    }
    for line in table.lines(terminal) { try output.printLine(line) }
  }

  private var modelSentence: String {
    switch origin {
    case .cached: "cached in the store"
    case .file(let path): "read from \(path)"
    case .inferred(let reason): "inferred from the tables. \(reason)"
    }
  }

  private var historySentence: String {
    guard let history else { return "none" }
    guard history.last > history.deleted else {
      return "empty; its last transaction was \(history.last)"
    }
    return "transactions \(history.deleted + 1) to \(history.last)"
  }
}

extension String {
  /// The text with blanks behind it up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - DisplayWidth.of(self)))
  }
}
