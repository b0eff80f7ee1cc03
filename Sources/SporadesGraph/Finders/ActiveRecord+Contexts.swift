// SPDX-License-Identifier: MIT
import SporadesModel

// One object in several contexts.
extension ActiveRecord {
  /// The same object in another context, whatever kind of id it has, saved to disk or not.
  public func inContext(_ context: ManagedObjectContext) throws -> Self {
    if home.context === context { return self }
    if key.isTemporary, let own = home.context, own.access.isHeldByCurrentThread {
      try own.obtainPermanentIDs(for: [self])
    }
    let found = try context.existingObject(with: objectID)
    guard let same = found as? Self else { throw ContextError.objectNotFound(objectID) }
    return same
  }

  /// The same object in another context; nil where there is none, which fails the block.
  public func inContext(_ context: ReportingContext) -> Self? {
    context.find(orElse: nil) { try inContext($0) }
  }
}
