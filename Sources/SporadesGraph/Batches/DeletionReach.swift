// SPDX-License-Identifier: MIT
import SporadesModel

/// The entities whose objects a deletion can delete or change, under the delete rules of the model.
struct DeletionReach {
  /// The numbers of the entities that can lose objects.
  private(set) var deleted: Set<Int> = []
  /// The numbers of the entities whose references can become nil.
  private(set) var changed: Set<Int> = []
  /// Whether a relationship with a smallest or largest number of objects can lose members.
  private(set) var concernsCounts = false

  init(of family: ClosedRange<Int>, _ stack: BoundModel) {
    var open = Array(family)
    while let number = open.popLast() {
      guard deleted.insert(number).inserted else { continue }
      for relationship in stack.bindings[number - 1].shape.relationships {
        let inverse = stack.inverses[relationship.number]
        if inverse?.hasCountToKeep == true { concernsCounts = true }
        switch (relationship.description.deleteRule, relationship.storage) {
        case (.cascade, _): open += relationship.destinationFamily
        case (.nullify, .inverseReference): changed.formUnion(relationship.destinationFamily)
        default: break
        }
        if case .reference? = inverse?.storage, !relationship.isToMany {
          changed.formUnion(relationship.destinationFamily)
        }
      }
    }
  }
}
