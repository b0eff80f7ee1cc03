// SPDX-License-Identifier: MIT
public import SporadesModel

// Requests of the context, which throw as they do there.
extension ReportingContext {
  /// See ``ManagedObjectContext/insert(entityNamed:)``.
  public func insert(entityNamed name: String) throws(ContextError) -> ManagedObject {
    try managedObjectContext.insert(entityNamed: name)
  }

  /// See ``ManagedObjectContext/registeredObject(for:)``.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    managedObjectContext.registeredObject(for: id)
  }

  /// See ``ManagedObjectContext/fetch(_:)``.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    try managedObjectContext.fetch(request)
  }

  /// See ``ManagedObjectContext/fetch(template:substituting:)``.
  public func fetch(
    template name: String, substituting values: [String: Any?] = [:]
  ) throws -> [ManagedObject] {
    try managedObjectContext.fetch(template: name, substituting: values)
  }

  /// See ``ManagedObjectContext/fetchIDs(_:)``.
  public func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    try managedObjectContext.fetchIDs(request)
  }

  /// See ``ManagedObjectContext/aggregate(_:of:_:)``.
  public func aggregate(
    _ function: AggregateFunction, of keyPath: String, _ request: FetchRequest
  ) throws -> Value { try managedObjectContext.aggregate(function, of: keyPath, request) }

  /// See ``ManagedObjectContext/fetchDictionaries(_:)``.
  public func fetchDictionaries(_ request: FetchRequest) throws -> FetchedDictionaries {
    try managedObjectContext.fetchDictionaries(request)
  }

  /// See ``ManagedObjectContext/deletePlan(for:)``.
  public func deletePlan(for objects: some Sequence<ManagedObject>) -> DeletePlan {
    managedObjectContext.deletePlan(for: objects)
  }

  /// See ``ManagedObjectContext/reset()``.
  public func reset() { managedObjectContext.reset() }

  /// See ``ManagedObjectContext/refreshAllObjects()``.
  public func refreshAllObjects() { managedObjectContext.refreshAllObjects() }

  /// See ``ManagedObjectContext/detectConflicts(for:)``.
  public func detectConflicts(for object: ManagedObject) {
    managedObjectContext.detectConflicts(for: object)
  }
}

extension ManagedObject {
  /// Inserts a new object of the class's entity into the context.
  public convenience init(context: ReportingContext) {
    self.init(context: context.managedObjectContext)
  }
}
