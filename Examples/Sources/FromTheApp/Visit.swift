// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// Walks through all objects of a store.
struct Visit {
  private let stack: DataStack

  init(_ stack: DataStack) { self.stack = stack }

  // MARK: - Counting

  /// The number of objects of each entity itself.
  func counts() throws -> [String: Int] {
    try stack.newContext().performAndWait { context in
      var counts: [String: Int] = [:]
      for entity in stack.model.entities {
        counts[entity.name] = try context.count(Self.request(entity.name))
      }
      return counts
    }
  }

  private static func request(_ entity: String) -> FetchRequest {
    var request = FetchRequest(entity)
    request.includesSubentities = false
    return request
  }

  // MARK: - Relationships

  private struct Link: Hashable {
    let from: ManagedObjectID
    let to: ManagedObjectID
  }

  /// A link that only one side of a relationship shows, as a sentence.
  struct Disagreement: Hashable {
    let sentence: String
    /// Each side has a column of its own, so that a file can say both.
    let isOneToOne: Bool
  }

  /// The links that only one side of a relationship shows. A link to an object that is gone has one side and is passed
  /// over.
  func findDisagreements() throws -> [Disagreement] {
    try stack.newContext().performAndWait { context in
      let objects = try stack.model.shapes.flatMap { try context.fetch(Self.request($0.name)) }
      let known = Set(objects.map(\.objectID))
      var links: [Int: Set<Link>] = [:]
      for object in objects {
        guard let shape = stack.model.shape(named: object.entity.name) else { continue }
        for relationship in shape.relationships where relationship.isStored {
          for other in Self.others(object, relationship) where known.contains(other) {
            links[relationship.number, default: []].insert(Link(from: object.objectID, to: other))
          }
        }
      }
      return stack.model.shapes.flatMap { shape in
        shape.relationships.flatMap { Self.disagreements($0, of: shape, stack.model, links) }
      }
    }
  }

  private static func others(
    _ object: ManagedObject, _ relationship: RelationshipShape
  ) -> [ManagedObjectID] {
    guard relationship.isToMany else {
      return object.object(forKey: relationship.name).map { [$0.objectID] } ?? []
    }
    return object.objects(forKey: relationship.name).map(\.objectID)
  }

  private static func disagreements(
    _ relationship: RelationshipShape, of shape: EntityShape, _ model: ManagedObjectModel,
    _ links: [Int: Set<Link>]
  ) -> [Disagreement] {
    guard relationship.entity == shape.number, relationship.isStored,
      !relationship.hasTransientInverse, let name = relationship.inverseName,
      case .relationship(let inverse)? = model.shape(numbered: relationship.destination)[name]
    else { return [] }
    let back = Set((links[inverse.number] ?? []).map { Link(from: $0.to, to: $0.from) })
    return (links[relationship.number] ?? []).subtracting(back).map {
      Disagreement(
        sentence:
          "\(shape.name).\(relationship.name) leads from \($0.from) to \($0.to), and \(name) does not lead back.",
        isOneToOne: !relationship.isToMany && !inverse.isToMany)
    }
  }

  // MARK: - Changing

  /// Changes an object of each entity and takes the change back, and then deletes one and takes that back. A rule of the
  /// model may forbid either; nothing else may.
  func changeAndRestore() throws {
    for entity in stack.model.entities {
      do {
        try changeAndRestore(entity.name)
        try deleteAndRestore(entity.name)
      } catch {
        throw Finding("Changing and deleting an object of \(entity.name) failed. \(error)")
      }
    }
  }

  private func changeAndRestore(_ entity: String) throws {
    guard let shape = stack.model.shape(named: entity) else { return }
    for attribute in shape.attributes
    where attribute.slot != nil && !attribute.description.isDerived {
      let isDone: Bool = try stack.newContext().performAndWait { context in
        context.durability = .immediate
        var request = Self.request(entity)
        request.fetchLimit = 1
        guard let object = try context.fetch(request).first else { return true }
        let old = object[attribute.name]
        // What the app left out against its model could not be taken back.
        guard let new = Self.other(than: old, attribute.type),
          Self.isAllowed(old, attribute.name, object)
        else { return false }
        object[attribute.name] = new
        guard try Self.saves(context) else { return false }
        try check(object.objectID, attribute.name, new)
        object[attribute.name] = old
        guard try Self.saves(context) else {
          throw Finding("\(object.objectID) cannot get its former \(attribute.name) again.")
        }
        try check(object.objectID, attribute.name, old)
        return true
      }
      if isDone { return }
    }
  }

  private static func isAllowed(_ value: Value, _ name: String, _ object: ManagedObject) -> Bool {
    // try? because the reason does not matter: another attribute is tried.
    (try? object.validateValue(value, forKey: name)) != nil
  }

  /// Another value of the type; nil for a type whose values have a form of their own.
  private static func other(than value: Value, _ type: AttributeType) -> Value? {
    switch (type, value) {
    case (.string, .string(let text)): .string(text + "~")
    case (.string, _): .string("~")
    case (.boolean, .boolean(let truth)): .boolean(!truth)
    case (.boolean, _): .boolean(true)
    case (.integer16, .integer(7)), (.integer32, .integer(7)), (.integer64, .integer(7)):
      .integer(8)
    case (.integer16, _), (.integer32, _), (.integer64, _): .integer(7)
    case (.double, .double(7)), (.float, .double(7)): .double(8)
    case (.double, _), (.float, _): .double(7)
    case (.date, .date(let date)): .date(date.addingTimeInterval(60))
    case (.date, _): .date(Date(timeIntervalSinceReferenceDate: 0))
    default: nil
    }
  }

  /// A context of its own must read the value from the store.
  private func check(_ id: ManagedObjectID, _ name: String, _ value: Value) throws {
    let stored = try stack.newContext().performAndWait { context in
      try context.existingObject(with: id)[name]
    }
    guard stored == value else {
      throw Finding("The store shows another \(name) of \(id) than was saved.")
    }
  }

  private func deleteAndRestore(_ entity: String) throws {
    let queue = stack.newContext()
    guard let id = try delete(entity, in: queue) else { return }
    guard try isGone(id) else { throw Finding("\(id) is still there after it was deleted.") }
    try queue.performAndWait { context in
      context.undo()
      try context.save()
    }
  }

  /// Deletes an object and what its rules take along. Nil if there is none, or if a rule forbids it. Nil as well if one
  /// of them could not be brought back: the app left out a value that its model requires, or the file of a large value
  /// is missing.
  private func delete(_ entity: String, in queue: ContextQueue) throws -> ManagedObjectID? {
    do {
      return try queue.performAndWait { context in
        context.undoManager = ContextUndoManager()
        // The store is closed soon, and everything is committed by then.
        context.durability = .immediate
        var request = Self.request(entity)
        request.fetchLimit = 1
        guard let object = try context.fetch(request).first else { return nil }
        let id = object.objectID
        context.delete(object)
        for deleted in context.deletedObjects {
          try Self.checkRestorable(deleted, stack.model)
        }
        return try Self.saves(context) ? id : nil
      }
    } catch let error where error is ValidationError || Self.isUnreadable(error) {
      FromTheApp.complain("No object of \(entity) is deleted. \(error)")
      return nil
    }
  }

  private static func checkRestorable(_ object: ManagedObject, _ model: ManagedObjectModel) throws {
    for attribute in model.shape(named: object.entity.name)?.attributes ?? []
    where attribute.slot != nil && !attribute.description.isDerived {
      try object.validateValue(object[attribute.name], forKey: attribute.name)
    }
  }

  private static func isUnreadable(_ error: any Error) -> Bool {
    switch error as? ContextError {
    case .unreadable?: true
    case .several(let errors)?: errors.allSatisfy(isUnreadable)
    default: false
    }
  }

  private func isGone(_ id: ManagedObjectID) throws -> Bool {
    try stack.newContext().performAndWait { context in
      do {
        _ = try context.existingObject(with: id)
        return false
      } catch ContextError.objectNotFound { return true }
    }
  }

  /// Saves, or undoes the changes if a rule of the model forbids them.
  private static func saves(_ context: ManagedObjectContext) throws -> Bool {
    do {
      try context.save()
      return true
    } catch is ValidationError {
      context.rollback()
      return false
    } catch let error as StoreError {
      guard case .constraint = error.code else { throw error }
      context.rollback()
      return false
    }
  }
}
