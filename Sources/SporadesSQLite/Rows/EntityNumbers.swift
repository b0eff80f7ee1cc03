// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL

/// The entities' numbers in the store and in the model, which differ where an app renamed an entity.
final class EntityNumbers: Sendable {
  /// By number in the store; 0 where the store has no such entity.
  private let models: [UInt16]
  /// By number in the model.
  private let families: [ClosedRange<Int>]
  private let hasSubentities: [Bool]

  init(_ layout: StoreLayout, _ model: ManagedObjectModel) {
    var models = [UInt16](repeating: 0, count: (layout.storeNumbers.max() ?? 0) + 1)
    for (index, number) in layout.storeNumbers.enumerated() where number > 0 {
      models[number] = UInt16(index + 1)
    }
    self.models = models
    families = [0...0] + model.shapes.map(\.family)
    hasSubentities = [false] + model.shapes.map(\.hasSubentities)
  }

  /// The tree under a root has one entity only.
  func isSingle(_ root: Int) -> Bool { !hasSubentities[root] }

  /// The entity of a row that a place for rows of `other` leads to: the one with a number of the
  /// store, if it is `other` or inherits from it, else `other` itself.
  @inline(__always)
  func modelNumber(_ store: Int64, else other: Int) -> Int {
    guard store > 0, store < models.count else { return other }
    let number = Int(models[Int(store)])
    // A row that is taken for one of another tree would be read by that tree's layout.
    return families[other].contains(number) ? number : other
  }
}
