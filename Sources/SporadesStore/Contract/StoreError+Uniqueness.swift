// SPDX-License-Identifier: MIT
package import SporadesModel

extension StoreError {
  /// The refusal of an object whose values another one has.
  package static func taken(
    _ constraint: [String], in entity: EntityShape, byBatch: Bool = false,
    underlying: (any Error)? = nil
  ) -> StoreError {
    let names = constraint.joined(separator: ", ")
    let attributes = entity.attributes.map(\.description).filter { constraint.contains($0.name) }
    let haveDefaults =
      attributes.count == constraint.count
      && attributes.allSatisfy { !$0.isOptional && $0.defaultValue != .null }
    return StoreError(
      .constraint(entity: entity.name, properties: constraint),
      "Another \(entity.name) has the same \(names); the model allows it once."
        + remedy(names, haveDefaults, isOne: constraint.count == 1, byBatch),
      underlying: underlying)
  }

  /// The same refusal for a batch that inserts objects of the entity. Such a batch follows no merge policy.
  package func asRefusalOfBatch(_ entity: EntityShape) -> StoreError {
    guard case .constraint(entity.name, let constraint) = code,
      detail == Self.taken(constraint, in: entity).detail
    else { return self }
    return .taken(constraint, in: entity, byBatch: true, underlying: underlying)
  }

  private static func remedy(
    _ names: String, _ haveDefaults: Bool, isOne: Bool, _ byBatch: Bool
  ) -> String {
    (haveDefaults
      ? " An object that sets no \(names) has the default: set it, or make \(names) optional." : "")
      + (byBatch
        ? " Let the batch leave such objects out, .onUniqueConflict(.skip), or change those of the store, .onUniqueConflict(.update)."
        : isOne
          ? " To change the object that has the value instead, write firstOrCreate(\\.\(names), equalTo: …, in: context), or "
            + "set a mergePolicy." : "")
  }
}
