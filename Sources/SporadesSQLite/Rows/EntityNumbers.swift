// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL

/// The entities' numbers in the store and in the model. They differ after an app has renamed an entity.
final class EntityNumbers: Sendable {
  /// Indexed by the number in the store; 0 if the model has no such entity.
  private let models: [UInt16]
  /// The last number in the family of each entity, which begins with the entity's own. Indexed by the number in the
  /// model. A list of ranges would need a type that the runtime makes at each start.
  private let lastNumbers: [Int]
  private let hasSubentities: [Bool]

  init(_ layout: StoreLayout, _ model: ManagedObjectModel) {
    var models = [UInt16](repeating: 0, count: (layout.storeNumbers.max() ?? 0) + 1)
    for (index, number) in layout.storeNumbers.enumerated() where number > 0 {
      models[number] = UInt16(index + 1)
    }
    self.models = models
    lastNumbers = [0] + model.shapes.map(\.family.upperBound)
    hasSubentities = [false] + model.shapes.map(\.hasSubentities)
  }

  /// Whether the tree under a root has a single entity.
  func isSingle(_ root: Int) -> Bool { !hasSubentities[root] }

  /// The entity of a row in a slot for rows of `other`: the entity with the store's number, if it is `other`
  /// or inherits from it; else `other`.
  @inline(__always)
  func modelNumber(_ store: Int64, else other: Int) -> Int {
    guard store > 0, store < models.count else { return other }
    let number = Int(models[Int(store)])
    // The layout of another tree would read the row wrongly.
    return other <= number && number <= lastNumbers[other] ? number : other
  }
}
