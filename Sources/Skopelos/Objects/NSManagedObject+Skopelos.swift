// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

public import CoreData

/// A managed object with the functions below.
public protocol NSManagedObjectExtendable {}

extension NSManagedObject: NSManagedObjectExtendable {}

extension NSManagedObjectExtendable where Self: NSManagedObject {
  /// The object in another context; nil if that does not find it.
  public func SK_inContext(_ otherContext: NSManagedObjectContext) -> Self? {
    do {
      if objectID.isTemporaryID { try managedObjectContext?.obtainPermanentIDs(for: [self]) }
      return try otherContext.existingObject(with: objectID) as? Self
    } catch {
      ServiceErrors.post(error, from: Self.self)
      return nil
    }
  }

  // MARK: - Making and removing

  /// Inserts a new object into the context.
  @discardableResult
  public static func SK_create(_ context: NSManagedObjectContext) -> Self { Self(context: context) }

  /// Marks the object for deletion.
  public func SK_remove(_ context: NSManagedObjectContext) { context.delete(self) }

  /// Marks all objects of the class for deletion.
  public static func SK_removeAll(_ context: NSManagedObjectContext) {
    let request = request(in: context)
    request.includesPropertyValues = false
    for object in find(request, context) { context.delete(object) }
  }

  // MARK: - Counting

  /// The number of the class's objects; 0 if the store fails.
  public static func SK_numberOfEntities(_ context: NSManagedObjectContext) -> Int {
    count(request(in: context), context)
  }

  /// The number of the class's objects that satisfy a predicate; 0 if the store fails.
  public static func SK_numberOfEntities(
    _ predicate: NSPredicate, context: NSManagedObjectContext
  ) -> Int {
    count(request(predicate, in: context), context)
  }

  // MARK: - Finding

  /// All objects of the class; none if the store fails.
  public static func SK_all(_ context: NSManagedObjectContext) -> [Self] {
    find(request(in: context), context)
  }

  /// The objects that satisfy a predicate.
  public static func SK_all(
    _ predicate: NSPredicate, context: NSManagedObjectContext
  ) -> [Self] {
    find(request(predicate, in: context), context)
  }

  /// The objects that satisfy a predicate, in an order: `"lastname:NO,firstname"`.
  public static func SK_all(
    _ context: NSManagedObjectContext, predicate: NSPredicate, sortTerm: String, ascending: Bool
  ) -> [Self] {
    find(request(predicate, sortTerm, ascending, in: context), context)
  }

  /// The objects whose attribute has a value, in an order.
  public static func SK_all(
    _ attribute: String, isEqualTo value: String, sortTerms: String, ascending: Bool,
    context: NSManagedObjectContext
  ) -> [Self] {
    let predicate = NSPredicate(format: "%K = %@", attribute, value)
    return find(request(predicate, sortTerms, ascending, in: context), context)
  }

  /// An object of the class; nil if there is none, or the store fails.
  public static func SK_first(_ context: NSManagedObjectContext) -> Self? {
    first(request(in: context), context)
  }

  /// An object whose attribute has a value.
  public static func SK_first(
    _ attribute: String, isEqualTo value: String, context: NSManagedObjectContext
  ) -> Self? {
    first(request(NSPredicate(format: "%K = %@", attribute, value), in: context), context)
  }

  /// The first object that satisfies a predicate, in an order.
  public static func SK_first(
    _ predicate: NSPredicate, sortTerms: String, ascending: Bool, context: NSManagedObjectContext
  ) -> Self? {
    first(request(predicate, sortTerms, ascending, in: context), context)
  }

  // MARK: - Requests

  private static func request(
    _ predicate: NSPredicate? = nil, _ sortTerms: String? = nil, _ ascending: Bool = true,
    in context: NSManagedObjectContext
  ) -> NSFetchRequest<Self> {
    let request = NSFetchRequest<Self>(entityName: nameOfClass)
    request.predicate = predicate
    request.sortDescriptors = sortTerms.map { terms in
      terms.components(separatedBy: ",").map { term in
        let parts = term.components(separatedBy: ":")
        return NSSortDescriptor(
          key: parts[0], ascending: parts.count > 1 ? parts[parts.count - 1].boolValue : ascending)
      }
    }
    return request
  }

  private static func find(
    _ request: NSFetchRequest<Self>, _ context: NSManagedObjectContext
  ) -> [Self] {
    do { return try context.fetch(request) } catch {
      ServiceErrors.post(error, from: Self.self)
      return []
    }
  }

  private static func first(
    _ request: NSFetchRequest<Self>, _ context: NSManagedObjectContext
  ) -> Self? {
    request.fetchLimit = 1
    return find(request, context).first
  }

  private static func count(
    _ request: NSFetchRequest<Self>, _ context: NSManagedObjectContext
  ) -> Int {
    do { return try context.count(for: request) } catch {
      ServiceErrors.post(error, from: Self.self)
      return 0
    }
  }
}
