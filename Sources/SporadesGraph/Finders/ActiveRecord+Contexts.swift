// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

// One object in several contexts.
extension ActiveRecord {
  /// The same object in another context. Its id may be temporary or permanent, and its row saved or
  /// not.
  public func inContext(_ context: ManagedObjectContext) throws -> Self {
    if home.context === context { return self }
    if key.isTemporary, let own = home.context, own.access.isHeldByCurrentThread {
      try own.obtainPermanentIDs(for: [self])
    }
    let found = try context.existingObject(with: objectID)
    guard let same = found as? Self else { throw ContextError.objectNotFound(objectID) }
    return same
  }

  /// The same object in another context. If there is none, the result is nil and the block fails.
  public func inContext(_ context: ReportingContext) -> Self? {
    context.find(orElse: nil) { try inContext($0) }
  }
}
