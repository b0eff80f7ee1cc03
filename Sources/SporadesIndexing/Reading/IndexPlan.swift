// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore

/// The entities of an index, found in the model.
struct IndexPlan: Sendable {
  /// The entities without those that another one includes, in the order of their names.
  let roots: [EntityShape]
  /// The properties of other objects that are parts of attributes.
  let followed: [FollowedProperty]
  let contents: IndexContents

  /// Finds the entities. Throws if the model lacks one, or a property of a followed key path.
  init(
    _ entities: [IndexedEntity], version: Int, in context: ManagedObjectContext
  ) throws {
    var found: [EntityShape] = []
    var followed: [FollowedProperty] = []
    for entity in entities {
      let shape = try entity.shape(in: context)
      if !found.contains(where: { $0.number == shape.number }) { found.append(shape) }
      for path in entity.following {
        followed += try FollowedProperty.all(on: path, of: shape, context.model)
      }
    }
    guard !found.isEmpty else {
      throw FetchPredicateError(
        .unknownKeyPath, "The index has no entity. Name those whose objects it shall have.")
    }
    roots = found.filter { shape in
      !found.contains { $0.number != shape.number && $0.family.contains(shape.number) }
    }.sorted { $0.name < $1.name }
    self.followed = followed
    contents = IndexContents(
      entities: roots.map(\.name), version: version,
      digest: Self.digest(of: roots, followed, context.model))
  }

  private static func digest(
    of roots: [EntityShape], _ followed: [FollowedProperty], _ model: ManagedObjectModel
  ) -> UInt64 {
    // FNV-1a, which gives the same number in every process.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    let hashes = model.entityVersionHashesByName
    for family in roots.map(\.family) + followed.map(\.family) {
      for number in family {
        let name = model.shape(numbered: number).name
        add(name.utf8)
        // An entity without a hash counts by its name.
        if let hash = hashes[name] { add(hash) }
      }
    }
    for property in followed {
      add((property.path + [property.property]).joined(separator: ".").utf8)
      add(",".utf8)
    }
    return digest
  }

  /// Objects of an entity with the number are in the index.
  func includes(_ entity: Int) -> Bool { roots.contains { $0.family.contains(entity) } }

  /// The key paths of relationships whose objects the attributes of an entity's objects need.
  func prefetching(for entity: EntityShape, _ model: ManagedObjectModel) -> [String] {
    let paths = followed.filter { property in
      model.shape(named: property.owner)?.family.contains(entity.number) == true
    }.map { $0.path.joined(separator: ".") }
    return Set(paths).sorted()
  }

  /// The index may change with the change.
  func concerns(_ change: PersistentHistoryChange) -> Bool {
    includes(change.changedObjectID.key.entity) || followed.contains { $0.isChanged(by: change) }
  }
}

extension IndexedEntity {
  fileprivate func shape(in context: ManagedObjectContext) throws(ContextError) -> EntityShape {
    switch subject {
    case .type(let type): return try context.shape(for: type)
    case .name(let name):
      guard let shape = context.model.shape(named: name) else {
        throw .unknownEntity(name, known: context.model.shapes.map(\.name))
      }
      return shape
    }
  }
}
