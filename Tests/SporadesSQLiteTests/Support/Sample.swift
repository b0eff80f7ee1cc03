// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore

/// Persons with pets and tags: inheritance, one-to-many, ordered, many-to-many, unique, all types.
enum Sample {
  static let model: ManagedObjectModel = {
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    let person = EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("age", .integer32, isOptional: true),
        AttributeDescription("height", .double, isOptional: true),
        AttributeDescription("wealth", .decimal, isOptional: true),
        AttributeDescription("born", .date, isOptional: true),
        AttributeDescription("isAdult", .boolean, isOptional: true),
        AttributeDescription("code", .uuid, isOptional: true),
        AttributeDescription("page", .uri, isOptional: true),
        AttributeDescription("email", .string, isOptional: true),
        photo,
      ],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner", isOrdered: true),
        .toMany("tags", "Tag", inverse: "persons", isOrdered: true),
        .toMany("friends", "Person", inverse: "friends"),
      ], uniquenessConstraints: [["email"]])
    let employee = EntityDescription(
      "Employee", attributes: [AttributeDescription("salary", .integer64, isOptional: true)],
      superentityName: "Person")
    let pet = EntityDescription(
      "Pet", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [.toOne("owner", "Person", inverse: "pets")],
      indexes: [FetchIndexDescription("byName", on: "name")])
    let tag = EntityDescription(
      "Tag", attributes: [AttributeDescription("title", .string, isOptional: true)],
      relationships: [.toMany("persons", "Person", inverse: "tags")])
    // The model is written here, so a mistake in it is a mistake of the tests.
    return try! ManagedObjectModel(entities: [person, employee, pet, tag])
  }()

  static func shape(_ name: String) -> EntityShape { model.shape(named: name)! }

  static func temporaryPath() -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("Store.sqlite").path
  }

  /// A page of rows of one entity: key, version, and values by name.
  static func page(
    _ entity: String, _ rows: [(key: Int64, values: [String: Value])], version: Int64 = 1
  ) -> RowPage {
    let shape = shape(entity)
    var builder = RowPageBuilder(layout: shape.layout)
    for row in rows {
      builder.appendRow(RowKey(entity: shape.number, primaryKey: row.key), version: version)
      for (name, value) in row.values { set(&builder, shape, name, value) }
    }
    return builder.finish()
  }

  private static func set(
    _ builder: inout RowPageBuilder, _ shape: EntityShape, _ name: String, _ value: Value
  ) {
    var slot = 0
    switch shape[name] {
    case .attribute(let attribute): slot = attribute.slot!
    case .relationship(let relationship):
      guard case .reference(let reference, _) = relationship.storage else { return }
      slot = reference
    default:
      // Positions are named after their relationship, with an underscore before it.
      guard case .relationship(let relationship)? = shape[String(name.dropFirst())],
        case .reference(_, let position?) = relationship.storage
      else { return }
      slot = position
    }
    switch value {
    case .boolean(let truth): builder.set(slot, to: Int64(truth ? 1 : 0))
    case .integer(let number): builder.set(slot, to: number)
    case .double(let number): builder.set(slot, to: number)
    case .decimal(let number): builder.set(slot, to: number.description)
    case .string(let text): builder.set(slot, to: text)
    case .date(let date): builder.set(slot, to: date.timeIntervalSinceReferenceDate)
    case .data(let data): builder.set(slot, to: data)
    case .uuid(let uuid):
      unsafe builder.set(slot, to: withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) })
    case .url(let url): builder.set(slot, to: url.absoluteString)
    case .objectID(let id): builder.set(slot, to: id.key)
    case .null, .list: break
    }
  }

  static func slot(_ entity: String, _ name: String) -> Int {
    switch shape(entity)[name] {
    case .attribute(let attribute): return attribute.slot!
    case .relationship(let relationship):
      if case .reference(let slot, _) = relationship.storage { return slot }
      if case .inverseReference(let slot, _) = relationship.storage { return slot }
      return -1
    default: return -1
    }
  }

  static func key(_ entity: String, _ primaryKey: Int64) -> RowKey {
    RowKey(entity: shape(entity).number, primaryKey: primaryKey)
  }

  static func relationship(_ entity: String, _ name: String) -> RelationshipShape {
    guard case .relationship(let relationship)? = shape(entity)[name] else {
      preconditionFailure("\(entity) has no relationship \(name).")
    }
    return relationship
  }

  /// The rows of a page, new in certain slots.
  static func updates(_ page: RowPage, _ slots: [Int]) -> UpdatedRows {
    var words = [UInt64](repeating: 0, count: page.layout.bitWords)
    for slot in slots { words[slot >> 6] |= 1 << UInt64(slot & 63) }
    return UpdatedRows(
      page: page, changedSlots: Array(repeating: words, count: page.count).flatMap { $0 })
  }
}

extension PersistentStore {
  func names(_ fetch: StoreFetch, _ slot: Int, in view: StoreView = .accepted) throws -> [String?] {
    try rows(fetch, in: view).flatMap { page in
      (0..<page.count).map { page.text($0, slot: slot) }
    }
  }
}

extension RowPage {
  func bytes(_ row: Int, _ slot: Int) -> [UInt8]? {
    // What can not be read is like nothing that is expected.
    (try? data(row, slot: slot)).flatMap { $0.map { Array($0) } }
  }
}
