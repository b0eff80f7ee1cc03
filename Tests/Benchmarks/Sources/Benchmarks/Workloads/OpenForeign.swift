// SPDX-License-Identifier: MIT
import Foundation
import RawStore
import Sporades
import SporadesXcode

/// A store that an app wrote, opened by the model that it carries, to the first row. The model has 60 entities.
///
/// The raw side expands the model and does not read it: a program without a library has its tables in its code.
struct OpenForeign: Workload {
  static let key = "open_foreign"
  static let title = "open by the carried model, first row"
  static let start = Template.foreign
  static let mostMilliseconds: Double? = 15
  static let entities = 60

  init(_ sample: Sample) {}

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    watch.time {
      let database = RawDatabase(path)
      let cache = database.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
      precondition(cache.step() && cache.expandedCount(0) > 0, "The store carries no model.")
      let row = database.prepare(
        "SELECT Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZDATE, ZNAME FROM ZKIND30 LIMIT 1")
      precondition(row.step(), "The store has no row.")
      var sum = Checksum()
      sum.add(row.text(5).utf8.count)
      return sum.value
    }
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let stack = try watch.time { try DataStack(openingStoreAt: URL(fileURLWithPath: path)) }
    let sum = try watch.time {
      try stack.main.performAndWait { context in
        var request = FetchRequest("Kind30")
        request.fetchLimit = 1
        guard case .string(let name)? = try context.fetch(request).first?["name"] else {
          preconditionFailure("The store has no row.")
        }
        var sum = Checksum()
        sum.add(name.utf8.count)
        return sum.value
      }
    }
    try stack.store.close()
    return sum
  }

  /// Makes the file: each entity has a few attributes of its own, and leads to the next one.
  static func make(at path: String) throws {
    let model = try ManagedObjectModel(
      entities: (0..<entities).map { number in
        EntityDescription(
          "Kind\(number)",
          attributes: [
            AttributeDescription("name", .string), AttributeDescription("number", .integer64),
            AttributeDescription("date", .date, isOptional: true),
            AttributeDescription("share", .double, isOptional: true),
            AttributeDescription("isOpen", .boolean, isOptional: true),
            AttributeDescription("notes", .string, isOptional: true),
          ],
          relationships: [
            .toOne("next", "Kind\((number + 1) % entities)", inverse: "former"),
            .toMany("former", "Kind\((number + entities - 1) % entities)", inverse: "next"),
          ], indexes: [FetchIndexDescription("byName", on: "name")])
      })
    let stack = try DataStack(sqlite: URL(fileURLWithPath: path), model: model)
    try stack.main.performAndWait { context in
      for number in 0..<entities {
        let object = try context.insert(entityNamed: "Kind\(number)")
        object["name"] = .string("The first of kind \(number)")
        object["number"] = .integer(Int64(number))
      }
      try context.save()
    }
    try stack.store.close()
  }
}
