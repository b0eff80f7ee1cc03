// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Makes one object of several that must not be several.
///
/// Rules:
/// 1. A new object whose unique values are stored becomes the stored one: the save updates the row.
///    Where the context has an object of that row already, that one stays, and the new one is gone.
/// 2. Of new objects that agree with each other, the first one stays.
/// 3. What was linked to an object that goes is linked to the one that stays.
/// 4. With `objectTrump`, properties the new object never set, whose values are their defaults, keep
///    what is stored.
/// 5. Two rows that are stored are never made one. With `storeTrump` and `rollback` the changed one
///    gets its former values back; else the save fails.
struct Union {
  private let context: ManagedObjectContext
  /// The keys of objects that went, and who has their place.
  private var replaced: [RowKey: RowKey] = [:]

  init(_ context: ManagedObjectContext) { self.context = context }

  mutating func settle(_ rivals: Rivals, _ resolution: MergePolicy.Resolution) throws -> Bool {
    var new = rivals.objects.filter(\.isInserted)
    var old = rivals.objects.filter { !$0.isInserted }
    guard old.count + (rivals.stored == nil ? 0 : 1) <= 1 || yields(&old, rivals, resolution)
    else { return false }
    let target: ManagedObject
    if let stored = rivals.stored {
      if let known = context.registered(stored.key) {
        target = known
      } else if let first = new.first, first.home.shape.number == stored.key.entity {
        become(stored, first, resolution)
        target = first
        new.removeFirst()
      } else {
        target = context.object(forKey: stored.key)
      }
    } else {
      target = old.first ?? new.removeFirst()
    }
    for object in new { absorb(object, into: target, resolution) }
    if case .values(let values) = resolution { context.give(values, to: target) }
    return true
  }

  /// References to objects that went lead to those that stayed.
  func finish() {
    guard !replaced.isEmpty else { return }
    for object in context.changes.listed where !object.isDeleted {
      for slot in object.home.shape.layout.referenceSlots {
        guard let key = object.referenceInMemory(slot), let new = replaced[key] else { continue }
        object.setWord(slot, new.rawValue)
      }
    }
  }

  /// Gives stored objects that were changed to taken values their former ones back.
  private func yields(
    _ old: inout [ManagedObject], _ rivals: Rivals, _ resolution: MergePolicy.Resolution
  ) -> Bool {
    switch resolution {
    case .refuse, .objectTrump, .overwrite, .values: return false
    case .rollback: for object in old { context.refresh(object, mergeChanges: false) }
    case .storeTrump:
      for object in old {
        guard let base = object.basePlace else { continue }
        for name in rivals.properties {
          switch object.home.shape[name] {
          case .attribute(let attribute)?:
            if let slot = attribute.slot { object.takeSlot(slot, from: base.page, base.index) }
          case .relationship(let relationship)?:
            guard case .reference(let slot, _) = relationship.storage else { continue }
            object.setToOne(
              relationship, base.reference(slot).map { context.object(forKey: $0) })
          default: continue
          }
        }
      }
    }
    old = []
    return true
  }

  // MARK: - One of two

  /// Makes a new object the one that stands for a stored row.
  private mutating func become(
    _ stored: RowPlace, _ object: ManagedObject, _ resolution: MergePolicy.Resolution
  ) {
    guard let former = object.place else { return }
    let ties = Ties(cutFrom: object)
    replaced[object.key] = stored.key
    context.unregister(object)
    object.extras?.toMany.removeAll()
    object.state.subtract([.inserted, .open])
    object.key = stored.key
    object.show(stored.page, stored.index)
    context.register(object)
    give(former, ties, to: object, resolution)
  }

  /// Gives what a new object has to another one, and lets it go.
  private mutating func absorb(
    _ object: ManagedObject, into target: ManagedObject, _ resolution: MergePolicy.Resolution
  ) {
    guard let former = object.place else { return }
    let ties = Ties(cutFrom: object)
    replaced[object.key] = target.key
    context.unregister(object)
    object.becomeFault()
    object.state.insert(.gone)
    give(former, ties, to: target, resolution)
  }

  private func give(
    _ former: RowPlace, _ ties: Ties, to target: ManagedObject, _ resolution: MergePolicy.Resolution
  ) {
    switch resolution {
    case .refuse, .rollback: return
    case .storeTrump: break
    case .objectTrump, .overwrite, .values:
      let isWhole = if case .overwrite = resolution { true } else { false }
      let layout = former.page.layout
      for slot in layout.slots.indices
      where layout.slots[slot].kind != .reference && layout.slots[slot].isOfItsOwn {
        if isWhole || !isDefault(former, slot) {
          target.takeSlot(slot, from: former.page, former.index)
        }
      }
      ties.tieToOne(to: target, isWhole: isWhole)
    }
    ties.tieToMany(to: target)
  }

  /// Whether a new object's slot holds what it held when the object was made.
  private func isDefault(_ row: RowPlace, _ slot: Int) -> Bool {
    let isNull = row.page.isNull(row.index, slot: slot)
    switch context.home(numbered: row.key.entity).binding.defaults[slot] {
    case nil: return isNull
    case .word(let word)?: return !isNull && row.page.word(row.index, slot: slot) == word
    case .bytes(let bytes)? where row.page.layout.isLarge(slot):
      return !isNull && row.page.holdsLarge(row.index, slot: slot, LargeValueInMemory(Data(bytes)))
    case .bytes(let bytes)?:
      return unsafe row.page.withBytes(row.index, slot: slot) { unsafe $0.elementsEqual(bytes) }
        ?? false
    }
  }
}

/// The relationships of a new object, taken off it to be given to another one.
private struct Ties {
  private var toOne: [(relationship: RelationshipShape, object: ManagedObject?)] = []
  private var toMany: [(relationship: RelationshipShape, objects: [ManagedObject])] = []
  private var owners: [(owner: ManagedObject, relationship: RelationshipShape)] = []

  init(cutFrom object: ManagedObject) {
    for relationship in object.home.binding.toOneRelationships {
      toOne.append((relationship, object.target(of: relationship)))
      object.setToOne(relationship, nil)
    }
    for relationship in object.home.binding.toManyRelationships {
      let members = object.members(relationship)
      guard !members.isEmpty else { continue }
      toMany.append((relationship, members))
      for member in members { object.unlink(member, relationship) }
    }
    let layout = object.home.shape.layout
    for slot in layout.referenceSlots {
      guard case .owner(_, let description) = layout.slots[slot].role,
        let owner = object.related(slot),
        case .relationship(let relationship)? = owner.home.shape[description.name]
      else { continue }
      owners.append((owner, relationship))
      owner.unlink(object, relationship)
    }
  }

  func tieToOne(to object: ManagedObject, isWhole: Bool) {
    for (relationship, other) in toOne where isWhole || other != nil {
      object.setToOne(relationship, other)
    }
  }

  func tieToMany(to object: ManagedObject) {
    for (relationship, members) in toMany {
      for member in members { object.link(member, relationship) }
    }
    for (owner, relationship) in owners { owner.link(object, relationship) }
  }
}
