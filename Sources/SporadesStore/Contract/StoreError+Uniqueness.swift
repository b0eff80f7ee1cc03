// SPDX-License-Identifier: MIT
package import SporadesModel

extension StoreError {
  /// The refusal of an object whose values another one has.
  package static func taken(
    _ constraint: [String], in entity: EntityShape, underlying: (any Error)? = nil
  ) -> StoreError {
    let names = constraint.joined(separator: ", ")
    let attributes = entity.attributes.map(\.description).filter { constraint.contains($0.name) }
    let haveDefaults =
      attributes.count == constraint.count
      && attributes.allSatisfy { !$0.isOptional && $0.defaultValue != .null }
    return StoreError(
      .constraint(entity: entity.name, properties: constraint),
      "Another \(entity.name) has the same \(names); the model allows it once."
        + remedy(names, haveDefaults, isOne: constraint.count == 1),
      underlying: underlying)
  }

  private static func remedy(_ names: String, _ haveDefaults: Bool, isOne: Bool) -> String {
    (haveDefaults
      ? " An object that sets no \(names) has the default: set it, or make \(names) optional." : "")
      + (isOne
        ? " To change the object that has the value instead, write firstOrCreate(\\.\(names), equalTo: …, in: context), or "
          + "set a mergePolicy." : "")
  }
}
