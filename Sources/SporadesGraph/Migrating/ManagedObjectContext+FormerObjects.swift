// SPDX-License-Identifier: MIT
public import SporadesModel

extension FormerRows {
  /// `stack` showed the store before its migration.
  package convenience init(of stack: DataStack, _ successors: RowSuccessors) {
    self.init(of: stack.bound.scope, successors)
  }
}

extension ManagedObjectContext {
  /// The object that had an id before the changes of a migration's stage; nil if it is gone, or of an entity that has another
  /// class.
  ///
  /// The ids of two versions differ, because entities have other numbers, and keys of tables that come together change. Code
  /// that runs before the changes carries ids over, and code that runs after them finds the objects:
  ///
  /// ```swift
  /// .custom(
  ///   fromVersion: ShopV1.self, toVersion: ShopV2.self,
  ///   willMigrate: { context in
  ///     try ShopV1.Book.all(in: context).map { ($0.objectID, $0.price) }
  ///   },
  ///   didMigrate: { context, prices in
  ///     for (id, price) in prices {
  ///       try context.object(ShopV2.Book.self, migratedFrom: id)?.cents = cents(price)
  ///     }
  ///   })
  /// ```
  public func object<Object: ManagedObject>(
    _ type: Object.Type = ManagedObject.self, migratedFrom id: ManagedObjectID
  ) throws -> Object? {
    guard let formerRows else {
      throw ContextError.unsupportedRequest(
        "\(id) was looked up as an id of an older version. Only code of a stage that runs after the changes can do that."
      )
    }
    guard id.scope == formerRows.scope, !id.isTemporaryID else {
      throw ContextError.unsupportedRequest(
        "\(id) is no permanent id of the older version of this stage. Carry over ids of objects that are saved, from "
          + "willMigrate of the same stage.")
    }
    if type != ManagedObject.self, !stack.bindings.contains(where: { $0.type is Object.Type }) {
      throw stack.unbound(type)
    }
    guard let key = formerRows.successors.key(of: id.key) else { return nil }
    do {
      return try existingObject(with: ManagedObjectID(key: key, scope: stack.scope)) as? Object
    } catch ContextError.objectNotFound {
      return nil
    }
  }
}

extension ContextQueue {
  /// Runs code of a migration's stage in the context, which ends with it.
  package func performStage(
    after formerRows: FormerRows?, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try performAndWait { context in
      context.formerRows = formerRows
      defer { context.retire() }
      try body(context)
      if context.hasChanges { try context.save() }
    }
  }
}
