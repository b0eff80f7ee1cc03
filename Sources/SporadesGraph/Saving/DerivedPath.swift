// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// The way that a derived attribute's expression goes from an object to what it reads.
///
/// The members of a one-to-many relationship are those that the store knows, but for the changed
/// objects, whose rows tell themselves whose members they are. So the result does not depend on what
/// the context has in memory.
struct DerivedPath {
  private let derived: DerivedAttribute
  private let context: ManagedObjectContext
  private let changed: Set<ObjectIdentifier>
  /// By place of the step, the changed members by the identity of their owner's key.
  private let changedMembers: [[UInt64: [ManagedObject]]]

  init(_ derived: DerivedAttribute, _ objects: [ManagedObject], _ context: ManagedObjectContext) {
    self.derived = derived
    self.context = context
    changed = Set(objects.map(ObjectIdentifier.init))
    changedMembers = derived.steps.map { step in
      guard case .inverseReference(let slot, _) = step.storage else { return [:] }
      var members: [UInt64: [ManagedObject]] = [:]
      for object in objects
      where !object.isRemoved && step.destinationFamily.contains(object.home.shape.number) {
        if let owner = object.reference(slot) {
          members[owner.identity, default: []].append(object)
        }
      }
      return members
    }
  }

  /// The objects at the end of the path, in memory.
  func ends(of object: ManagedObject) throws(StoreError) -> [ManagedObject] {
    let ends = try faults(of: object)
    try context.fulfil(ends)
    return ends.filter { !$0.state.contains(.gone) }
  }

  /// The number of objects at the end of the path. Their rows are not read.
  func count(of object: ManagedObject) throws(StoreError) -> Int { try faults(of: object).count }

  private func faults(of object: ManagedObject) throws(StoreError) -> [ManagedObject] {
    var level = [object]
    for place in derived.steps.indices { level = try step(place, from: level) }
    return level
  }

  /// Reads the unchanged objects on the way from the owners again, step by step, because each step
  /// may lead to other objects now.
  func readAnew(from owners: [ManagedObject]) throws(StoreError) {
    var level = owners
    try context.readAnew(unchanged: level)
    for place in derived.steps.indices {
      for object in level { object.knownToMany(derived.steps[place])?.invalidate() }
      // because a count needs no values of what it counts
      if derived.source == nil && place == derived.steps.count - 1 { return }
      level = try step(place, from: level)
      try context.readAnew(unchanged: level)
    }
  }

  // MARK: - One step

  private func step(
    _ place: Int, from level: [ManagedObject]
  ) throws(StoreError) -> [ManagedObject] {
    let next =
      switch derived.steps[place].storage {
      case .inverseReference: try members(place, of: level)
      case .join where derived.source == nil && place == derived.steps.count - 1:
        level.flatMap { faults(derived.steps[place], of: $0) }
      case .join, .reference, .memory: level.flatMap { $0.objects(of: derived.steps[place]) }
      }
    return next.filter { !$0.isRemoved && !$0.state.contains(.gone) }
  }

  /// The members of a one-to-many relationship. One question to the store finds those of all owners.
  private func members(
    _ place: Int, of owners: [ManagedObject]
  ) throws(StoreError) -> [ManagedObject] {
    let step = derived.steps[place]
    let keys = Set(owners.filter { $0.mayHaveStoredMembers(of: step) }.map(\.key))
    let links = keys.isEmpty ? [] : try context.source.links(of: step, owners: Array(keys))
    let stored = Dictionary(grouping: links, by: \.owner.identity)
    return owners.flatMap { owner in
      (stored[owner.key.identity] ?? []).map { context.object(forKey: $0.other) }
        .filter { !changed.contains(ObjectIdentifier($0)) }
        + (changedMembers[place][owner.key.identity] ?? [])
    }
  }

  /// The members of a many-to-many relationship, without their rows. A relationship that was not in
  /// memory is forgotten again.
  private func faults(_ step: RelationshipShape, of object: ManagedObject) -> [ManagedObject] {
    let isLoaded = object.knownToMany(step)?.isLoaded == true
    defer { if !isLoaded { object.knownToMany(step)?.invalidate() } }
    return object.memberFaults(step)
  }
}

extension ManagedObject {
  /// Whether members of a one-to-many relationship may be in the store. An object that was deleted
  /// and inserted again finds the members that its deletion left alone.
  final func mayHaveStoredMembers(of step: RelationshipShape) -> Bool {
    !isInserted || step.description.deleteRule == .noAction
  }
}
