// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

extension DataStack {
  /// Computes all derived attributes of the stored objects anew, except for times, and saves those that differ. Returns the
  /// number of objects that changed.
  ///
  /// A save computes what its changes bear upon, from the stored total. Call this for a store in which
  /// `integrityProblems()` names derived values that are wrong. Other contexts hear of it as of a save.
  @discardableResult
  public func renewDerivedValues() throws -> Int {
    try newContext(name: "renewing derived values").performAndWait { context in
      var changed: Set<ManagedObjectID> = []
      for derived in bound.derivedAttributes where derived.derivation != .now {
        changed.formUnion(try context.renew(derived))
      }
      return changed.count
    }
  }
}

extension ManagedObjectContext {
  /// Computes a derived attribute of all objects, and saves those that differ.
  fileprivate func renew(_ derived: DerivedAttribute) throws -> Set<ManagedObjectID> {
    let entity = model.shape(numbered: derived.attribute.entity).name
    let all = try fetchIDs(FetchRequest(entity)).map { Value.objectID($0) }
    var changed: Set<ManagedObjectID> = []
    for start in stride(from: 0, to: all.count, by: Self.renewedTogether) {
      let part = Array(all[start..<min(start + Self.renewedTogether, all.count)])
      let request = FetchRequest(
        entity, where: .comparison(.init(.subject, .isIn, .constant(.list(part)))))
      let result = try executeBatch {
        try executeOnObjects { context in
          // Only the derived values change, and no rule of the model is about them.
          context.saving.validatesChanges = false
          context.saving.followsTotals = false
          let objects = try context.fetch(request)
          try DerivedValues(context).renew(derived, of: objects)
          return objects
        }
      }
      // The save also changes what is derived from these values.
      changed.formUnion(result.changes.updatedObjectIDs)
    }
    return changed
  }

  /// The objects of one save.
  private static var renewedTogether: Int { 1_000 }
}
