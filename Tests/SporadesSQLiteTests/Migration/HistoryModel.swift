// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// The model whose changes the tests of histories make.
struct HistoryModel {
  var person = EntityDescription(
    "Person",
    attributes: [
      AttributeDescription("name", .string, isOptional: true),
      AttributeDescription("age", .integer32, isOptional: true),
      AttributeDescription("notes", .string, isOptional: true),
    ],
    relationships: [
      .toMany("pets", "Pet", inverse: "owner", isOrdered: true),
      .toMany("tags", "Tag", inverse: "persons"),
    ])
  var employee = EntityDescription(
    "Employee", attributes: [AttributeDescription("salary", .integer64, isOptional: true)],
    superentityName: "Person")
  var pet = EntityDescription(
    "Pet",
    attributes: [
      AttributeDescription("name", .string, isOptional: true),
      AttributeDescription("weight", .double, isOptional: true),
    ],
    relationships: [.toOne("owner", "Person", inverse: "pets")])
  var tag = EntityDescription(
    "Tag", attributes: [AttributeDescription("title", .string, isOptional: true)],
    relationships: [.toMany("persons", "Person", inverse: "tags")])
  var others: [EntityDescription] = []

  init() {
    person.attributes[0].preservesValueInHistoryOnDeletion = true
    person.attributes[1].preservesValueInHistoryOnDeletion = true
    pet.attributes[1].preservesValueInHistoryOnDeletion = true
  }

  func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [person, employee, pet, tag] + others)
  }

  private static let tables = """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
    ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB );
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
    ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
    ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), \
    (16003, 'TRANSACTIONSTRING', 0, 0)
    """

  /// Writes a store with a history: inserts, updates of each property, and deletions.
  static func fill(_ path: String, _ model: ManagedObjectModel) throws {
    try SQLiteStore(path: path, model: model).close()
    let database = unsafe try StoreFixture.database(path)
    let code = unsafe sqlite3_exec(database, tables, nil, nil, nil)
    unsafe sqlite3_close(database)
    try #require(code == SQLITE_OK)
    let stack = DataStack(store: try SQLiteStore(path: path, model: model))
    try stack.newContext().performAndWait { context in
      let people = try ["Person", "Employee", "Person", "Employee"].map { entity in
        let person = try context.insert(entityNamed: entity)
        person["name"] = "Ada"
        person["age"] = 36
        return person
      }
      let pets = try (0..<4).map { number in
        let pet = try context.insert(entityNamed: "Pet")
        pet["weight"] = .double(Double(number) + 0.5)
        pet.setObject(people[number % 2], forKey: "owner")
        return pet
      }
      let tag = try context.insert(entityNamed: "Tag")
      try context.save()
      for (name, value) in [("name", "Eve"), ("notes", "x")] {
        people[0][name] = .string(value)
        try context.save()
      }
      people[1]["age"] = 41
      people[1]["salary"] = 7
      try context.save()
      pets[0].setObject(people[1], forKey: "owner")
      try context.save()
      pets[1]["name"] = "Rex"
      people[0].setObjects([tag], forKey: "tags")
      try context.save()
      tag["title"] = "t"
      try context.save()
      for object in [people[2], people[3], pets[3]] { context.delete(object) }
      try context.save()
    }
    try stack.store.close()
  }

  // MARK: - Changes

  static func changes() throws -> [HistoryChange] {
    typealias Change = HistoryChange
    func attribute(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
      AttributeDescription(name, type, isOptional: true)
    }
    return try [
      Change("adds an entity with the first number") {
        $0.others.append(EntityDescription("Album", attributes: [attribute("title")]))
      },
      Change("adds attributes in between") {
        $0.person.attributes += [attribute("aaa"), attribute("mail"), attribute("zzz")]
        $0.employee.attributes.append(attribute("desk"))
        $0.pet.attributes += (0..<9).map { attribute("more\($0)") }
      },
      Change("removes attributes") {
        $0.person.attributes.remove(at: 1)
        $0.pet.attributes.removeFirst()
      },
      Change("renames an entity, an attribute and a relationship") {
        $0.person.renamingIdentifier = "Person"
        $0.person.name = "Human"
        $0.employee.superentityName = "Human"
        $0.person.attributes[0].name = "title"
        $0.person.attributes[0].renamingIdentifier = "name"
        $0.pet.relationships = [.toOne("keeper", "Human", inverse: "pets")]
        $0.pet.relationships[0].renamingIdentifier = "owner"
        $0.person.relationships[0].inverseName = "keeper"
        $0.tag.relationships[0].destinationEntityName = "Human"
      },
      Change("keeps other values of deleted objects") {
        $0.person.attributes[0].preservesValueInHistoryOnDeletion = false
        $0.person.attributes[2].preservesValueInHistoryOnDeletion = true
        $0.person.attributes.append(attribute("birth", .date))
        $0.person.attributes[3].preservesValueInHistoryOnDeletion = true
        $0.employee.attributes[0].preservesValueInHistoryOnDeletion = true
      },
      Change("converts a kept value") { $0.person.attributes[1].type = .string },
      Change("takes the subentity of a destination away") {
        $0.employee.superentityName = nil
      },
      Change("takes an order away") { $0.person.relationships[0].isOrdered = false },
      Change("makes a to-one relationship to-many") {
        $0.pet.relationships = [.toMany("owner", "Person", inverse: "pets")]
      },
      Change("removes an entity") {
        $0.others = []
        $0.person.relationships.removeLast()
        $0.tag = EntityDescription("Word", attributes: [attribute("text")])
      },
      Change("merges tables under a new parent") {
        $0.others.append(
          EntityDescription("Being", attributes: [attribute("name")], isAbstract: true))
        $0.person.superentityName = "Being"
        $0.person.attributes.removeFirst()
        $0.pet.superentityName = "Being"
        $0.pet.attributes.removeFirst()
      },
    ]
  }
}

/// A history by names instead of numbers.
struct HistoryImage {
  struct Change: Hashable {
    let entity: String
    /// Nil where keys may change.
    var key: Int64
    let kind: Int
    let transaction: Int64
    let names: Set<String>
    /// The values of a deleted object that are not null, by the names of attributes.
    let kept: [String: String]

    /// The change in the newer version; nil if its entity is gone.
    func carried(over evolution: ModelEvolution) -> Change? {
      guard let entity = evolution.successor(ofEntity: entity) else { return nil }
      func name(_ old: String) -> String? { Self.name(old, in: entity, evolution) }
      return Change(
        entity: entity, key: key, kind: kind, transaction: transaction,
        names: Set(names.compactMap(name)), kept: carriedValues(entity, evolution))
    }

    private static func name(
      _ old: String, in entity: String, _ evolution: ModelEvolution
    ) -> String? {
      guard let shape = evolution.new.shape(named: entity) else { return nil }
      let slots = HistorySlots(shape, evolution.new).slots.map(\.name)
      for prefix in ["Zn_", "Z_FOK_"] where old.hasPrefix(prefix) {
        let former = String(old.dropFirst(prefix.count))
        let found = shape.relationships.first { relationship in
          let source = evolution.source(ofRelationship: relationship.name, in: entity)
          return source?.uppercased() == former
        }
        let name = found.map { prefix + $0.name.uppercased() }
        return slots.first { $0 == name }
      }
      return slots.first {
        evolution.source(ofAttribute: $0, in: entity) == old
          || evolution.source(ofRelationship: $0, in: entity) == old
      }
    }

    private func carriedValues(_ entity: String, _ evolution: ModelEvolution) -> [String: String] {
      var values: [String: String] = [:]
      guard let shape = evolution.new.shape(named: entity) else { return values }
      for attribute in shape.attributes
      where attribute.description.preservesValueInHistoryOnDeletion {
        let source = evolution.source(ofAttribute: attribute.name, in: entity)
        if let source { values[attribute.name] = kept[source] }
      }
      return values
    }
  }

  let changes: [Change]
  let transactions: [String]
  /// The number of changes whose number no entity has.
  let unnamed: Int

  /// `layout` tells the numbers of the entities where the table of numbers does not.
  init(
    _ path: String, _ model: ManagedObjectModel, numbering layout: StoreLayout? = nil
  ) throws {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    var names: [String: String] = [:]
    for row in unsafe try SQLRows.texts(
      database, "SELECT Z_ENT || ' ' || Z_NAME FROM Z_PRIMARYKEY")
    {
      let parts = row.split(separator: " ").map(String.init)
      names[parts[0]] = parts[1]
    }
    if let layout {
      names = [:]
      for shape in model.shapes { names["\(layout.storeNumber(shape.number))"] = shape.name }
    }
    let columns = unsafe try SQLRows.texts(
      database, "SELECT name FROM pragma_table_info('ACHANGE') WHERE name LIKE 'ZTOMBSTONE%'")
    let values = columns.map {
      "|| '|' || CASE typeof(\($0)) WHEN 'null' THEN '' ELSE hex(CAST(\($0) AS TEXT)) END"
    }
    let rows = unsafe try SQLRows.texts(
      database,
      "SELECT ZENTITY || '|' || ZENTITYPK || '|' || ZCHANGETYPE || '|' || ZTRANSACTIONID || '|' || "
        + "IFNULL(hex(ZCOLUMNS), '') \(values.joined(separator: " ")) FROM ACHANGE ORDER BY Z_PK")
    var changes: [Change] = []
    var unnamed = 0
    for row in rows {
      let parts = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard let name = names[parts[0]], let shape = model.shape(named: name) else {
        unnamed += 1
        continue
      }
      changes.append(try Self.change(shape, model, parts))
    }
    self.changes = changes
    self.unnamed = unnamed
    transactions = unsafe try SQLRows.texts(
      database, "SELECT Z_PK || ' ' || ZTIMESTAMP FROM ATRANSACTION ORDER BY Z_PK")
  }

  private static func change(
    _ shape: EntityShape, _ model: ManagedObjectModel, _ parts: [String]
  ) throws -> Change {
    let digits = [UInt8](parts[4].utf8)
    let bytes = try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16))
    }
    let slots = HistorySlots(shape, model)
    let places = bytes.isEmpty ? [] : try #require(slots.places(in: bytes), "\(shape.name)")
    let preserved = shape.attributes.filter { $0.description.preservesValueInHistoryOnDeletion }
      .map(\.name).sorted()
    let values = zip(preserved, parts.dropFirst(5)).filter { !$0.1.isEmpty }
    return Change(
      entity: shape.name, key: try #require(Int64(parts[1])), kind: try #require(Int(parts[2])),
      transaction: try #require(Int64(parts[3])), names: Set(places.map { slots.slots[$0].name }),
      kept: Dictionary(uniqueKeysWithValues: values.map { ($0.0, $0.1) }))
  }
}

/// A change of a model whose history is compared.
struct HistoryChange: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let old: ManagedObjectModel
  let new: ManagedObjectModel

  init(_ name: String, _ change: (inout HistoryModel) -> Void) throws {
    testDescription = name
    var entities = HistoryModel()
    old = try entities.model()
    change(&entities)
    new = try entities.model()
  }
}
