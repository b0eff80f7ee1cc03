// SPDX-License-Identifier: MIT
public import SporadesModel

// The finders again, for blocks that do not throw: a failure is kept and fails the block.
extension ActiveRecord {
  public static func all(in context: ReportingContext) -> [Self] {
    context.reporting([]) { try all(in: context as ManagedObjectContext) }
  }

  public static func all(
    where predicate: TypedPredicate<Self>? = nil, sortedBy terms: String = "",
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ReportingContext
  ) -> [Self] {
    context.reporting([]) {
      try all(
        where: predicate, sortedBy: terms, ascending: ascending, limit: limit, offset: offset,
        in: context as ManagedObjectContext)
    }
  }

  public static func all(
    where predicate: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ReportingContext
  ) -> [Self] {
    context.reporting([]) {
      try all(
        where: predicate, sortedBy: keyPath, ascending: ascending, limit: limit, offset: offset,
        in: context as ManagedObjectContext)
    }
  }

  public static func all(
    where predicate: FetchPredicate, sortedBy terms: String = "", ascending: Bool = true,
    limit: Int = 0, offset: Int = 0, in context: ReportingContext
  ) -> [Self] {
    context.reporting([]) {
      try all(
        where: predicate, sortedBy: terms, ascending: ascending, limit: limit, offset: offset,
        in: context as ManagedObjectContext)
    }
  }

  public static func all(
    where predicate: FetchPredicate, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ReportingContext
  ) -> [Self] {
    context.reporting([]) {
      try all(
        where: predicate, sortedBy: keyPath, ascending: ascending, limit: limit, offset: offset,
        in: context as ManagedObjectContext)
    }
  }

  public static func all(
    _ attribute: String, equalTo value: some ValueConvertible, sortedBy terms: String = "",
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ReportingContext
  ) -> [Self] {
    context.reporting([]) {
      try all(
        attribute, equalTo: value, sortedBy: terms, ascending: ascending, limit: limit,
        offset: offset, in: context as ManagedObjectContext)
    }
  }

  public static func first(
    where predicate: TypedPredicate<Self>? = nil, sortedBy terms: String = "",
    ascending: Bool = true, in context: ReportingContext
  ) -> Self? {
    context.reporting(nil) {
      try first(
        where: predicate, sortedBy: terms, ascending: ascending, in: context as ManagedObjectContext
      )
    }
  }

  public static func first(
    where predicate: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, in context: ReportingContext
  ) -> Self? {
    context.reporting(nil) {
      try first(
        where: predicate, sortedBy: keyPath, ascending: ascending,
        in: context as ManagedObjectContext)
    }
  }

  public static func first(
    where predicate: FetchPredicate, sortedBy terms: String = "", ascending: Bool = true,
    in context: ReportingContext
  ) -> Self? {
    context.reporting(nil) {
      try first(
        where: predicate, sortedBy: terms, ascending: ascending, in: context as ManagedObjectContext
      )
    }
  }

  public static func first(
    where predicate: FetchPredicate, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, in context: ReportingContext
  ) -> Self? {
    context.reporting(nil) {
      try first(
        where: predicate, sortedBy: keyPath, ascending: ascending,
        in: context as ManagedObjectContext)
    }
  }

  public static func first(
    _ attribute: String, equalTo value: some ValueConvertible, sortedBy terms: String = "",
    ascending: Bool = true, in context: ReportingContext
  ) -> Self? {
    context.reporting(nil) {
      try first(
        attribute, equalTo: value, sortedBy: terms, ascending: ascending,
        in: context as ManagedObjectContext)
    }
  }

  /// Where looking fails an object is made all the same, and the failure discards the write.
  public static func firstOrCreate<V: ValueConvertible>(
    _ keyPath: ReferenceWritableKeyPath<Self, V>, equalTo value: V, in context: ReportingContext
  ) -> Self {
    let found: Self? = context.reporting(nil) {
      try firstOrCreate(keyPath, equalTo: value, in: context as ManagedObjectContext)
    }
    return found ?? create(in: context)
  }

  public static func count(
    where predicate: TypedPredicate<Self>? = nil, in context: ReportingContext
  ) -> Int {
    context.reporting(0) { try count(where: predicate, in: context as ManagedObjectContext) }
  }

  public static func count(where predicate: FetchPredicate, in context: ReportingContext) -> Int {
    context.reporting(0) { try count(where: predicate, in: context as ManagedObjectContext) }
  }

  public static func deleteAll(
    where predicate: TypedPredicate<Self>? = nil, in context: ReportingContext
  ) {
    context.reporting(()) { try deleteAll(where: predicate, in: context as ManagedObjectContext) }
  }

  public static func deleteAll(where predicate: FetchPredicate, in context: ReportingContext) {
    context.reporting(()) { try deleteAll(where: predicate, in: context as ManagedObjectContext) }
  }

  /// The same object in another context; nil where there is none, which fails the block.
  public func inContext(_ context: ReportingContext) -> Self? {
    context.reporting(nil) { try inContext(context as ManagedObjectContext) }
  }
}
