// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore

/// A store with every kind of column: attributes of each type, required ones, references with and without an entity,
/// an order, links in a table of their own, and large values in files.
struct Kennel {
  static let model: ManagedObjectModel = {
    func optional(_ name: String, _ type: AttributeType) -> AttributeDescription {
      AttributeDescription(name, type, isOptional: true)
    }
    var photo = optional("photo", .binary)
    photo.allowsExternalBinaryDataStorage = true
    let animal = EntityDescription(
      "Animal",
      attributes: [
        AttributeDescription("name", .string), optional("mark", .integer64),
        optional("small", .integer16), optional("number", .integer32),
        optional("height", .double), optional("weight", .float), optional("price", .decimal),
        optional("born", .date), optional("isGood", .boolean), optional("code", .uuid),
        optional("page", .uri), optional("scan", .binary), photo,
      ],
      relationships: [
        .toOne("owner", "Owner", inverse: "animals"), .toOne("friend", "Animal", inverse: "fans"),
        .toMany("fans", "Animal", inverse: "friend"),
        .toMany("tags", "Tag", inverse: "animals", isOrdered: true),
      ])
    let dog = EntityDescription(
      "Dog", attributes: [optional("tricks", .integer32)], superentityName: "Animal")
    let owner = EntityDescription(
      "Owner", attributes: [AttributeDescription("name", .string), optional("mark", .integer64)],
      relationships: [.toMany("animals", "Animal", inverse: "owner", isOrdered: true)])
    let tag = EntityDescription(
      "Tag", attributes: [AttributeDescription("name", .string), optional("mark", .integer64)],
      relationships: [.toMany("animals", "Animal", inverse: "tags")])
    do { return try ManagedObjectModel(entities: [animal, dog, owner, tag]) } catch {
      preconditionFailure("\(error)")
    }
  }()

  let path = Sample.temporaryPath()

  /// Two animals, a dog, two owners and two tags, all linked.
  init() throws {
    let stack = DataStack(store: try open())
    try stack.look { context throws in
      let owners = try ["Ada", "Eve"].map { try context.make("Owner", ["name": .string($0)]) }
      let tags = try ["old", "new"].map { try context.make("Tag", ["name": .string($0)]) }
      var last: ManagedObject?
      for (place, entity) in ["Animal", "Dog", "Animal"].enumerated() {
        let animal = try context.make(entity, values(place))
        animal.setObject(owners[place % 2], forKey: "owner")
        animal.setObject(last, forKey: "friend")
        animal.setObjects(tags, forKey: "tags")
        last = animal
      }
      try context.save()
    }
    try stack.store.close()
  }

  private func values(_ place: Int) throws -> [String: Value] {
    [
      "name": .string("name \(place)"), "mark": .integer(1), "small": .integer(Int64(place)),
      "number": 7, "height": .double(0.5), "weight": .double(2.5), "price": .decimal(12),
      "born": .date(Date(timeIntervalSinceReferenceDate: 5)), "isGood": .boolean(true),
      "code": .uuid(UUID()), "page": .url(URL(filePath: "/a")), "scan": .data(Data([1, 2])),
      "photo": .data(Data(repeating: 7, count: place == 0 ? 10 : 200_000)),
    ]
  }

  func open() throws -> SQLiteStore { try SQLiteStore(path: path, model: Self.model) }

  /// Changes the file as any program could; false if a rule of the file refuses.
  func run(_ sql: String) throws -> Bool {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    return unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
  }

  /// The problems of the store, or of its opening.
  func problems() throws -> [IntegrityProblem] {
    let store = try open()
    var problems: [IntegrityProblem] = []
    try store.forEachIntegrityProblem { problems.append($0) }
    try store.close()
    return problems
  }
}
