// SPDX-License-Identifier: MIT
import SporadesModel

/// The effects that deleting objects would have under the model's delete rules.
public struct DeletePlan {
  /// The objects to delete, including those that cascades reach.
  public internal(set) var deleted: Set<ManagedObject> = []
  /// The relationships whose rule denies the deletion, because they lead to objects that would
  /// stay.
  public internal(set) var denials: [Denial] = []

  /// Whether a delete rule denies the deletion.
  public var isDenied: Bool { !denials.isEmpty }

  /// One relationship that denies the deletion of its object.
  public struct Denial {
    /// The object that can not be deleted.
    public let object: ManagedObject
    /// The name of the relationship.
    public let relationship: String
    /// The objects that the relationship leads to and that would stay.
    public let others: [ManagedObject]
  }
}

extension DeletePlan: CustomStringConvertible {
  /// A line of text with the plan, for logs.
  public var description: String {
    let deleted = deleted.map(\.objectID).sorted().map(\.description).joined(separator: ", ")
    return (["deletes \(deleted)"] + denials.map(\.description)).joined(separator: "; ")
  }
}

extension DeletePlan.Denial: CustomStringConvertible {
  /// A line of text with the denial, for logs.
  public var description: String {
    let others = others.map(\.objectID.description).joined(separator: ", ")
    return "denied by \(object.objectID).\(relationship), which leads to \(others)"
  }
}

extension ManagedObjectContext {
  /// The effects of deleting the objects. Nothing changes, and no object is called; an object whose
  /// `prepareForDeletion` changes relationships can cause other effects.
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
          !$0.isRemoved && !plan.deleted.contains($0)
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
