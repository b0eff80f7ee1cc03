// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting

/// The store of a chain: what its objects show, and how they change.
struct ChainStore {
  let path: String

  /// Opens the store, which migrates it.
  func open(
    _ model: ManagedObjectModel, through versions: [ManagedObjectModel] = []
  ) throws -> SQLiteStore {
    var options = SQLiteStoreOptions.losing
    options.migration.versions = versions
    return try SQLiteStore(path: path, model: model, options: options)
  }

  /// A copy of the closed store, in a folder of its own.
  func copy() throws -> ChainStore {
    let target = Sample.temporaryPath()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let other = URL(fileURLWithPath: target).deletingLastPathComponent()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(name), to: other.appendingPathComponent(name))
    }
    return ChainStore(path: target)
  }

  /// Removes a copy with its folder. What stays lies in the temporary folder.
  func remove() {
    try? FileManager.default.removeItem(
      at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  // MARK: - Reading

  static func rows(_ store: any PersistentStore) throws -> PlainRows {
    try DataStack(store: store).newContext().performAndWait { context in
      var rows = PlainRows()
      for shape in store.model.shapes where !shape.isAbstract {
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        for object in try context.fetch(request) {
          rows.rows[number(of: object)] = row(object, shape)
        }
      }
      return rows
    }
  }

  /// The primary keys by serial numbers.
  static func keys(_ store: any PersistentStore) throws -> [Int: Int64] {
    try DataStack(store: store).newContext().performAndWait { context in
      var keys: [Int: Int64] = [:]
      for shape in store.model.shapes where shape.superNumber == 0 {
        for object in try context.fetch(FetchRequest(shape.name)) {
          keys[number(of: object)] = object.objectID.key.primaryKey
        }
      }
      return keys
    }
  }

  private static func number(of object: ManagedObject) -> Int {
    if case .integer(let number) = object["serial"] { Int(number) } else { -1 }
  }

  private static func row(_ object: ManagedObject, _ shape: EntityShape) -> PlainRows.Row {
    var row = PlainRows.Row(entity: shape.name)
    for attribute in shape.attributes {
      guard attribute.type == .composite, case .list(let values) = object[attribute.name] else {
        row.values[attribute.name] = PlainRows.Cell(object[attribute.name])
        continue
      }
      for (element, value) in zip(attribute.elements, values) {
        row.values["\(attribute.name).\(element.name)"] = PlainRows.Cell(value)
      }
    }
    for relationship in shape.relationships {
      let others =
        relationship.isToMany
        ? object.objects(forKey: relationship.name)
        : [object.object(forKey: relationship.name)].compactMap(\.self)
      // A link without inverse may lead to an object that is deleted.
      let numbers = others.map { number(of: $0) }.filter { $0 > 0 }
      row.links[relationship.name] = relationship.isOrdered ? numbers : numbers.sorted()
    }
    return row
  }

  // MARK: - Writing

  /// Inserts, changes, links and deletes objects. Serial numbers begin after `last`; returns the new last one.
  static func fill(
    _ store: any PersistentStore, _ draft: ModelDraft, count: Int, after last: Int,
    _ generator: SeededGenerator
  ) throws -> Int {
    var random = generator
    var last = last
    try DataStack(store: store).newContext().performAndWait { context in
      var objects: [ManagedObject] = []
      for shape in store.model.shapes where !shape.isAbstract {
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        objects += try context.fetch(request)
      }
      objects.sort { number(of: $0) < number(of: $1) }
      for object in objects where Int.random(in: 0..<9, using: &random) == 0 {
        context.delete(object)
      }
      objects.removeAll { $0.isDeleted }
      for _ in 0..<count where !draft.concrete.isEmpty {
        let name = draft.concrete[Int.random(in: 0..<draft.concrete.count, using: &random)]
        let object = try context.insert(entityNamed: name)
        last += 1
        object["serial"] = .integer(Int64(last))
        fill(object, draft, last, &random)
        objects.append(object)
      }
      for object in objects.shuffled(using: &random).prefix(count) {
        link(object, among: objects, draft, &random)
      }
      try context.save()
    }
    return last
  }

  /// Leaves each object one link of each relationship at most.
  static func thin(_ store: any PersistentStore, _ draft: ModelDraft) throws {
    try DataStack(store: store).newContext().performAndWait { context in
      for shape in store.model.shapes where !shape.isAbstract {
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        for object in try context.fetch(request) {
          for relationship in draft.lineage(shape.name).flatMap(\.relationships)
          where relationship.isToMany {
            let others = object.objects(forKey: relationship.name)
            guard others.count > 1 else { continue }
            object.setObjects(Array(others.prefix(1)), forKey: relationship.name)
          }
        }
      }
      try context.save()
    }
  }

  private static func fill(
    _ object: ManagedObject, _ draft: ModelDraft, _ serial: Int, _ random: inout SeededGenerator
  ) {
    let line = draft.lineage(object.entity.name)
    let unique = Set(line.flatMap(\.uniquenessConstraints).flatMap(\.self))
    for attribute in line.flatMap(\.attributes)
    where attribute.name != "serial" && !attribute.isDerived {
      let number = Int.random(in: 0..<5, using: &random)
      if unique.contains(attribute.name) {
        object[attribute.name] =
          switch attribute.type {
          case .string: .string("\(serial)")
          case .double: .double(Double(serial))
          default: .integer(Int64(serial))
          }
      } else if attribute.type == .composite {
        object[attribute.name] = .list(
          attribute.elements.map { PlainRows.Cell.sample($0.type, number).value })
      } else if !attribute.isOptional || Int.random(in: 0..<4, using: &random) > 0 {
        object[attribute.name] = PlainRows.Cell.sample(attribute.type, number).value
      }
    }
  }

  private static func link(
    _ object: ManagedObject, among objects: [ManagedObject], _ draft: ModelDraft,
    _ random: inout SeededGenerator
  ) {
    for relationship in draft.lineage(object.entity.name).flatMap(\.relationships) {
      let family = draft.family(relationship.destinationEntityName)
      let others = objects.filter { family.contains($0.entity.name) }.shuffled(using: &random)
      if relationship.isToMany {
        object.setObjects(
          Array(others.prefix(Int.random(in: 0..<4, using: &random))), forKey: relationship.name)
      } else {
        object.setObject(others.first, forKey: relationship.name)
      }
    }
  }
}
