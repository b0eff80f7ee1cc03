// SPDX-License-Identifier: MIT
import SporadesModel

/// What deleting objects would do by the delete rules of the model, before anything is done.
public struct DeletePlan {
  /// The objects, and those that would be deleted with them.
  public internal(set) var deleted: Set<ManagedObject> = []
  /// What keeps a save from deleting them: relationships whose rule denies it, because they lead to
  /// objects that would stay.
  public internal(set) var denials: [Denial] = []

  public var isDenied: Bool { !denials.isEmpty }

  public struct Denial {
    public let object: ManagedObject
    public let relationship: String
    /// The objects that would stay.
    public let others: [ManagedObject]
  }
}

extension DeletePlan: CustomStringConvertible {
  public var description: String {
    let deleted = deleted.map(\.objectID).sorted().map(\.description).joined(separator: ", ")
    return (["deletes \(deleted)"] + denials.map(\.description)).joined(separator: "; ")
  }
}

extension DeletePlan.Denial: CustomStringConvertible {
  public var description: String {
    let others = others.map(\.objectID.description).joined(separator: ", ")
    return "denied by \(object.objectID).\(relationship), which leads to \(others)"
  }
}

extension ManagedObjectContext {
  /// What deleting the objects would do. Nothing is changed, and no object hears of it; one whose
  /// `prepareForDeletion` changes relationships may see to another end.
  public func deletePlan(for objects: some Sequence<ManagedObject>) -> DeletePlan {
    var plan = DeletePlan()
    var open = Array(objects)
    var order: [ManagedObject] = []
    while let next = open.popLast() {
      guard !next.isDeleted, !next.state.contains(.gone), plan.deleted.insert(next).inserted
      else { continue }
      order.append(next)
      open += cascaded(next)
    }
    for object in order {
      for relationship in object.home.binding.denyingRelationships {
        let others = object.objects(of: relationship).filter {
          !$0.isDeleted && !plan.deleted.contains($0)
        }
        if !others.isEmpty {
          plan.denials.append(
            DeletePlan.Denial(object: object, relationship: relationship.name, others: others))
        }
      }
    }
    return plan
  }
}
