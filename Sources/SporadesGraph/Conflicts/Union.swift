// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Merges objects that have the same unique values into one.
///
/// Rules:
/// 1. A new object whose unique values are stored becomes the stored object, and the save updates
///    its row. If the context already has an object of that row, that object stays and the new one
///    is gone.
/// 2. Of several new objects with the same values, the first one stays.
/// 3. The links of an object that goes move to the object that stays.
/// 4. With `objectTrump`, a property of the new object that still has its default does not replace
///    the stored value.
/// 5. Two stored rows are never merged. With `storeTrump` and `rollback` the changed one returns to
///    its former values; otherwise the save fails.
struct Union {
  private let context: ManagedObjectContext
  /// The new objects that were merged, by their former keys, each with the object that stays: itself, if it stands for a
  /// stored row.
  private var united: [RowKey: (former: ManagedObject, staying: ManagedObject)] = [:]

  init(_ context: ManagedObjectContext) { self.context = context }

  mutating func resolve(_ rivals: Rivals, _ resolution: MergePolicy.Resolution) throws -> Bool {
    var new = rivals.objects.filter(\.isInserted)
    var old = rivals.objects.filter { !$0.isInserted }
    guard old.count + (rivals.stored == nil ? 0 : 1) <= 1 || revertStored(&old, rivals, resolution)
    else { return false }
    let target: ManagedObject
    if let stored = rivals.stored {
      if let known = context.registered(stored.key) {
        target = known
      } else if let first = new.first, first.home.shape.number == stored.key.entity {
        adoptRow(stored, first, resolution)
        target = first
        new.removeFirst()
      } else {
        target = context.object(forKey: stored.key)
      }
    } else {
      target = old.first ?? new.removeFirst()
    }
    for object in new { absorb(object, into: target, resolution) }
    if case .values(let values) = resolution { context.setValues(values, of: target) }
    return true
  }

  /// Redirects references to merged objects, and the steps that can be undone. Children read the former rows again, and
  /// find none.
  func finish() {
    guard !united.isEmpty else { return }
    context.undoManager?.follow(
      united.values.reduce(into: [:]) { $0[$1.former] = $1.staying })
    context.notifyChildren(ofTakenBack: Array(united.keys))
    for object in context.changes.listed where !object.isRemoved {
      for slot in object.home.shape.layout.referenceSlots {
        guard let key = object.referenceInMemory(slot), let staying = united[key]?.staying
        else { continue }
        object.setWord(slot, staying.key.rawValue)
      }
    }
  }

  /// Returns changed stored objects to their former unique values.
  private func revertStored(
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
            if let slot = attribute.slot { object.setSlot(slot, from: base.page, base.index) }
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

  private mutating func replace(_ object: ManagedObject, by other: ManagedObject, of row: RowKey) {
    united[object.key] = (object, other)
    context.temporaryIDs.replace(object.key, by: row)
  }

  /// Makes a new object stand for a stored row.
  private mutating func adoptRow(
    _ stored: RowPlace, _ object: ManagedObject, _ resolution: MergePolicy.Resolution
  ) {
    guard let former = object.place else { return }
    let ties = Ties(cutFrom: object)
    replace(object, by: object, of: stored.key)
    context.unregister(object)
    object.extras?.toMany.removeAll()
    object.state.subtract([.inserted, .open])
    object.key = stored.key
    object.show(stored.page, stored.index)
    context.register(object)
    transfer(former, ties, to: object, resolution)
  }

  /// Moves the values and links of a new object to the target. The object is gone afterwards.
  private mutating func absorb(
    _ object: ManagedObject, into target: ManagedObject, _ resolution: MergePolicy.Resolution
  ) {
    guard let former = object.place else { return }
    let ties = Ties(cutFrom: object)
    replace(object, by: target, of: target.key)
    context.unregister(object)
    object.becomeFault()
    object.state.insert(.gone)
    transfer(former, ties, to: target, resolution)
  }

  private func transfer(
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
          target.setSlot(slot, from: former.page, former.index)
        }
      }
      ties.tieToOne(to: target, isWhole: isWhole)
    }
    ties.tieToMany(to: target)
  }

  /// Whether a new object's slot still has its default value.
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

/// The links of a new object, which are cut from it and tied to another object.
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
