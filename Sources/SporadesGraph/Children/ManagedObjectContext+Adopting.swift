// SPDX-License-Identifier: MIT
import SporadesModel

// New objects that come from another context.
//
// Rules:
// 1. The context that they come from keeps objects that were made without a context. It is never saved, nobody observes it, and it
//    calls no hooks. Each of its objects has a home of its own, which leads to another context later.
// 2. Linked objects come along, because a relationship leads to objects of the same context.
// 3. The objects stay the same instances. They get new keys, and `awakeFromInsert` is called when all have their values.
extension ManagedObjectContext {
  /// The parts of a new object that another context may adopt.
  package final func adoptableSeed(entityNumbered number: Int) -> ObjectSeed {
    let home = ObjectHome(stack.bindings[number - 1], context: self, scope: stack.scope)
    return ObjectSeed(home: home, key: nextTemporaryKey)
  }

  /// Inserts a new object of another context, with all new objects that its relationships lead to.
  package final func adopt(_ object: ManagedObject, from other: ManagedObjectContext) {
    let number = object.home.shape.number
    trap(
      unless: object.home.context === other && model.shapes.count >= number
        && model.shape(numbered: number).layout === object.home.shape.layout,
      "\(object.objectID) was inserted into a context whose coordinator has another model. Make it of an entity of the "
        + "coordinator's own model, as NSEntityDescription.entity(forEntityName:in:) finds it.")
    other.registerNewlyListed()
    let parts = other.connected(to: object).map { AdoptedObject($0) }
    for part in parts { other.release(part.object) }
    let callsHooks = saving.callsHooks
    saving.callsHooks = false
    for part in parts {
      part.object.leave(for: nextTemporaryKey)
      keep(part.object.home)
      insertRow(of: part.object)
      part.setValues()
    }
    for part in parts { part.setLinks() }
    saving.callsHooks = callsHooks
    guard callsHooks else { return }
    for part in parts { callHook { part.object.awakeFromInsert() } }
  }

  /// Keeps the home of an adopted object behind those of the entities. Homes that have no object any more go from time to time.
  private func keep(_ home: ObjectHome) {
    home.attach(to: self)
    let own = stack.bindings.count
    if case let more = homes.count - own, more >= 64, more.nonzeroBitCount == 1 {
      var kept = Array(homes[..<own])
      for place in own..<homes.count where !isKnownUniquelyReferenced(&homes[place]) {
        kept.append(homes[place])
      }
      homes = kept
    }
    homes.append(home)
  }

  /// Lets the identity map have all new objects, so that the list of changes need not remember whom it has told of.
  private func registerNewlyListed() {
    for object in changes.takeNewlyListed() where object.key.isTemporary { register(object) }
  }

  /// The new objects that a chain of relationships leads to, the first one included.
  private func connected(to first: ManagedObject) -> [ManagedObject] {
    var found = [first]
    var seen: Set<ManagedObject> = [first]
    var next = 0
    while next < found.count {
      let object = found[next]
      next += 1
      for relationship in object.home.shape.relationships {
        for member in object.linked(relationship) where seen.insert(member).inserted {
          found.append(member)
        }
      }
    }
    return found
  }

  /// Forgets a new object.
  private func release(_ object: ManagedObject) {
    unregister(object)
    changes.unlist(object)
    assignments[ObjectIdentifier(object)] = nil
    pendingIndex = nil
  }
}

extension ManagedObject {
  /// The objects that a relationship leads to.
  fileprivate final func linked(_ relationship: RelationshipShape) -> [ManagedObject] {
    relationship.isToMany
      ? objects(forKey: relationship.name)
      : object(forKey: relationship.name).map { [$0] } ?? []
  }
}

/// What an adopted object had before.
private struct AdoptedObject {
  let object: ManagedObject
  private let values: [(AttributeShape, Value)]
  private let links: [(RelationshipShape, [ManagedObject])]

  init(_ object: ManagedObject) {
    self.object = object
    values = object.home.shape.attributes.filter { !$0.description.isDerived }
      .map { ($0, object.value(of: $0)) }
    links = object.home.shape.relationships.compactMap { relationship in
      let members = object.linked(relationship)
      return members.isEmpty ? nil : (relationship, members)
    }
  }

  func setValues() {
    for (attribute, value) in values { object.set(value, of: attribute) }
  }

  func setLinks() {
    for (relationship, members) in links {
      if relationship.isToMany {
        object.setObjects(members, forKey: relationship.name)
      } else {
        object.setObject(members.first, forKey: relationship.name)
      }
    }
  }
}
