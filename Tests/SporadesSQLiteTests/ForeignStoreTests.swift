// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

/// Every store of Apple's frameworks opens without a model file, reads as SQLite's own functions read it, and stays whole.
@Suite(.enabled(if: StoreFixture.areThere, "needs the fixtures")) struct ForeignStoreTests {
  /// All stores below the fixtures.
  static let paths: [String] = {
    let files = FileManager.default.enumerator(atPath: StoreFixture.root + "/stores")
    let paths = files?.compactMap { $0 as? String } ?? []
    return paths.filter { ["sqlite", "db", "moody"].contains(($0 as NSString).pathExtension) }
      .sorted()
  }()

  private func copy(_ path: String) throws -> URL {
    URL(fileURLWithPath: try StoreFixture.copy(of: StoreFixture.root + "/stores/" + path))
  }

  @Test func allStoresAreTried() { #expect(Self.paths.count == 24) }

  // MARK: - Reading

  @Test(arguments: paths)
  func readsWhatPlainSQLReads(_ path: String) throws {
    let url = try copy(path)
    let plain = try PlainStore(try copy(path).path)
    try compare(try SQLiteStore(openingStoreAt: url), plain)
  }

  /// The model that a store carries is taken away, and the tables alone are left.
  @Test(arguments: paths)
  func readsTheSameByTheTablesAlone(_ path: String) throws {
    let url = try copy(path)
    let plain = try PlainStore(url.path)
    try plain.run("DROP TABLE IF EXISTS Z_MODELCACHE; PRAGMA wal_checkpoint(TRUNCATE)")
    let store = try SQLiteStore(openingStoreAt: url)
    #expect(store.isReadOnly)
    // An entity whose table an app's migration renamed under its number has no table of its own name.
    try compare(store, plain)
  }

  private func compare(_ store: SQLiteStore, _ plain: PlainStore) throws {
    // A name may come from the model, where the table of counters has an older one.
    let names = Set(store.model.entities.map(\.name))
    let missing = Set(plain.entities.keys).subtracting(names)
    #expect(missing.isSubset(of: ["ExpensiveSportCar"]), "\(missing)")
    try DataStack(store: store).newContext().performAndWait { context in
      for shape in store.model.shapes where plain.entities[shape.name] != nil {
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        let objects = try context.fetch(request)
        try compareValues(objects, shape, plain)
        for relationship in shape.relationships where relationship.isStored {
          try compareLinks(objects, relationship, shape, store.model, plain)
        }
      }
    }
    try store.close()
  }

  private func compareValues(
    _ objects: [ManagedObject], _ shape: EntityShape, _ plain: PlainStore
  ) throws {
    let table = try plain.table(of: shape.name)
    let number = plain.entities[shape.name]?.number ?? 0
    let columns = try plain.columns(of: table)
    let attributes = shape.attributes.filter {
      $0.slot != nil && columns.contains("Z" + $0.name.uppercased())
        && !columns.contains("Z" + $0.name.uppercased() + "1")
    }
    let list = attributes.map { "Z" + $0.name.uppercased() }
    let rows = try plain.rows(
      "SELECT \((["Z_PK"] + list).joined(separator: ", ")) FROM \(table) WHERE Z_ENT = \(number)")
    #expect(objects.count == rows.count, "\(shape.name)")
    let byKey = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0) })
    for object in objects {
      let row = try #require(byKey[.integer(object.objectID.key.primaryKey)], "\(object)")
      for (place, attribute) in attributes.enumerated() {
        let isEqual = isEqual(object[attribute.name], row[place + 1], attribute)
        #expect(isEqual, "\(shape.name).\(attribute.name) \(row[place + 1])")
      }
    }
  }

  private func isEqual(
    _ value: Value, _ cell: PlainStore.Cell, _ attribute: AttributeShape
  ) -> Bool {
    switch (value, cell) {
    case (.null, .null): true
    case (.null, .real(let number)): number.isNaN
    // The file of a large value is missing.
    case (.null, .blob(let bytes)):
      attribute.description.allowsExternalBinaryDataStorage && bytes.first == 2
    case (.boolean(let truth), .integer(let number)): truth == (number != 0)
    case (.integer(let own), .integer(let number)): own == number
    case (.double(let own), _): cell.number.map { abs(own - $0) <= abs($0) * 1e-6 } ?? false
    case (.date(let date), _):
      cell.number.map { date.timeIntervalSinceReferenceDate == $0 } ?? false
    case (.decimal(let own), .text(let text)): own.isNaN == (text == "NaN")
    case (.decimal(let own), _):
      cell.number.map { abs((own as NSDecimalNumber).doubleValue - $0) <= abs($0) * 1e-9 }
        ?? own.isNaN
    case (.string(let own), .text(let text)): own == text
    case (.url(let own), .text(let text)): own.absoluteString == text
    case (.uuid(let own), .blob(let bytes)):
      own.uuidString.replacing("-", with: "")
        == bytes.map { String(format: "%02X", $0) }.joined()
    case (.data(let own), .blob(let bytes)):
      // A value that may lie in a file has a mark before it.
      Array(own)
        == (attribute.description.allowsExternalBinaryDataStorage
          ? Array(bytes.dropFirst()) : bytes)
    default: false
    }
  }

  private func compareLinks(
    _ objects: [ManagedObject], _ relationship: RelationshipShape, _ shape: EntityShape,
    _ model: ManagedObjectModel, _ plain: PlainStore
  ) throws {
    let (owner, destination) = (
      model.shape(numbered: relationship.entity).name,
      model.shape(numbered: relationship.destination).name
    )
    guard plain.entities[owner] != nil, plain.entities[destination] != nil else { return }
    guard let expected = try links(of: relationship, owner, destination, model, plain) else {
      return
    }
    let keys = Set(objects.map(\.objectID.key.primaryKey))
    var found: Set<PlainStore.Link> = []
    let present = Set(
      try plain.rows("SELECT Z_PK FROM \(try plain.table(of: destination))").map { $0[0] })
    for object in objects {
      let others =
        relationship.isToMany
        ? object.objects(forKey: relationship.name)
        : object.object(forKey: relationship.name).map { [$0] } ?? []
      for other in others where present.contains(.integer(other.objectID.key.primaryKey)) {
        found.insert(
          PlainStore.Link(
            from: object.objectID.key.primaryKey, to: other.objectID.key.primaryKey))
      }
    }
    let differing = found.symmetricDifference(expected.filter { keys.contains($0.from) })
    #expect(differing.isEmpty, "\(shape.name).\(relationship.name)")
  }

  private func links(
    of relationship: RelationshipShape, _ owner: String, _ destination: String,
    _ model: ManagedObjectModel, _ plain: PlainStore
  ) throws -> Set<PlainStore.Link>? {
    let name = relationship.name.uppercased()
    if !relationship.isToMany { return try plain.toOne("Z" + name, from: owner, to: destination) }
    guard let inverse = relationship.inverseName, !relationship.hasTransientInverse,
      case .relationship(let back)? = model.shape(named: destination)?[inverse]
    else {
      let number = plain.entities[owner]?.number ?? 0
      return reversed(try plain.toOne("Z\(number)\(name)", from: destination, to: owner))
    }
    let other = model.shape(numbered: back.entity).name
    if !back.isToMany {
      return reversed(try plain.toOne("Z" + inverse.uppercased(), from: other, to: owner))
    }
    let joined = try plain.join(relationship.name, of: owner, inverse, of: other)
    #expect(joined != nil, "\(owner).\(relationship.name)")
    return joined
  }

  private func reversed(_ links: Set<PlainStore.Link>?) -> Set<PlainStore.Link>? {
    links.map { Set($0.map { PlainStore.Link(from: $0.to, to: $0.from) }) }
  }
}
