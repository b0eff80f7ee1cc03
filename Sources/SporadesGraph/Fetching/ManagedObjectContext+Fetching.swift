// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// The objects that satisfy the request, with the changes of this context and its ancestors.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    beginWork()
    defer { endWork() }
    let fetch = try storeFetch(request)
    return try timed(request, .rows(fetch), rows: \.count) {
      let pending = pendingChanges(request, fetch)
      let objects =
        try pending?.objects(fetch)
        ?? (request.readsIDsAlone
          ? source.keys(fetch).map { object(forKey: $0) } : storedObjects(fetch))
      try prepare(objects, request)
      return objects
    }
  }

  /// Refreshes fetched objects, and prefetches what they lead to, as the request asks.
  func prepare(_ objects: [ManagedObject], _ request: FetchRequest) throws {
    if request.shouldRefreshRefetchedObjects { try refetch(objects) }
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      try prefetch(request.relationshipKeyPathsForPrefetching, of: objects)
    }
  }

  /// The objects of the class's entity that satisfy the request.
  @inlinable
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, _ request: FetchRequest
  ) throws -> [Object] {
    let objects = try fetch(request)
    if objects.isEmpty { try checkClass(Object.self, of: request) }
    return typed(objects)
  }

  /// Throws if no object of the request's entity can be of the class. Objects that were found tell it themselves.
  @usableFromInline
  final func checkClass<Object: ManagedObject>(
    _ type: Object.Type, of request: FetchRequest
  ) throws(ContextError) {
    guard let shape = model.shape(named: request.entityName),
      !shape.family.contains(where: { objectType(entity: $0) is Object.Type })
    else { return }
    throw .unsupportedRequest(
      "A fetch of \(type) asks for \(request.entityName), whose objects have the class \(objectType(entity: shape.number)). Fetch the entity of the class."
    )
  }

  /// The same array with the type of the class that all its objects have.
  @inlinable
  func typed<Object: ManagedObject>(_ objects: [ManagedObject]) -> [Object] {
    guard let first = objects.first else { return [] }
    trap(
      unless: first is Object,
      "A fetch of \(Object.self) found objects of class \(Swift.type(of: first)). Fetch the entity of the "
        + "class.")
    // because all objects of an entity have its class or a subclass, and all arrays of class
    // instances have the same layout
    return unsafe unsafeBitCast(objects, to: [Object].self)
  }

  /// The same array with the type of the class that all its objects have.
  package func objects<Object: ManagedObject>(
    _ type: Object.Type, _ objects: [ManagedObject]
  ) -> [Object] { typed(objects) }

  /// The objects that satisfy the model's fetch request with the name. `values` replace its
  /// variables.
  public func fetch(
    template name: String, substituting values: [String: Any?] = [:]
  ) throws -> [ManagedObject] {
    guard let request = model.fetchRequest(fromTemplate: name, substituting: values) else {
      throw ContextError.unknownTemplate(
        name, known: Array(model.fetchRequestTemplates.keys))
    }
    return try fetch(request)
  }

  /// The number of objects that satisfy the request.
  public func count(_ request: FetchRequest) throws -> Int {
    beginWork()
    defer { endWork() }
    guard request.resultType != .dictionary else { return try dictionaries(request).count }
    return try answer(.count(of: storeFetch(request, for: .counts)), request).count
  }

  /// The ids of the objects that satisfy the request. The context makes no objects.
  public func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    beginWork()
    defer { endWork() }
    let fetch = try storeFetch(request, for: .ids)
    return try timed(request, .keys(fetch), rows: \.count) {
      if let pending = pendingChanges(request, fetch) {
        return try pending.subjects(fetch).map(\.subjectID)
      }
      return try source.keys(fetch).map { ManagedObjectID(key: $0, scope: stack.scope) }
    }
  }

  /// The sum, least, greatest or mean value of an attribute, over the objects that satisfy the
  /// request. Null if no object has a value.
  ///
  /// `min` and `max` need a type with an order, `sum` needs numbers, and `average` needs numbers or
  /// dates.
  public func aggregate(
    _ function: AggregateFunction, of keyPath: String, _ request: FetchRequest
  ) throws -> Value {
    let fetch = try storeFetch(request, for: .aggregates)
    let column = FetchExpression.overObjects(function, keyPath.propertyNames)
    return try value(of: TableQuestion(fetch, [column]), request)
  }

  /// The answer to a question of one column for all objects.
  func value(of question: TableQuestion, _ request: FetchRequest) throws -> Value {
    beginWork()
    defer { endWork() }
    return try answer(question, request).value
  }

  func answer(_ question: TableQuestion, _ request: FetchRequest) throws -> TableAnswer {
    var question = question
    try question.check(model)
    return try timed(request, .table(question), rows: \.rowCount) {
      try request.includesPendingChanges ? answer(question) : source.answer(question)
    }
  }

  /// The answer, with the changes of this context and its ancestors.
  func answer(_ question: TableQuestion) throws -> TableAnswer {
    let pending = PendingChanges(self, concerning: question)
    return try pending?.answer(question) ?? source.answer(question)
  }

  /// The unsaved changes, if they affect the request.
  func pendingChanges(_ request: FetchRequest, _ fetch: StoreFetch) -> PendingChanges? {
    request.includesPendingChanges ? PendingChanges(self, concerning: fetch) : nil
  }

  func storedObjects(_ fetch: StoreFetch) throws(StoreError) -> [ManagedObject] {
    objects(of: try source.rows(fetch))
  }

  func objects(of pages: [RowPage]) -> [ManagedObject] {
    reserveSpace(for: pages)
    var objects: [ManagedObject] = []
    objects.reserveCapacity(pages.reduce(0) { $0 + $1.count })
    for page in pages { appendObjects(of: page, to: &objects) }
    return objects
  }

  /// The request in the form for a store. It throws if the request does not fit the model or asks
  /// for something that does not exist. The check is the same for answers from the store and from
  /// memory.
  func storeFetch(
    _ request: FetchRequest, for purpose: FetchPurpose = .objects
  ) throws -> StoreFetch {
    guard let shape = model.shape(named: request.entityName) else {
      throw ContextError.unknownEntity(
        request.entityName, known: model.shapes.map(\.name))
    }
    try request.check(for: purpose)
    let predicate =
      temporaryIDs.isEmpty
      ? request.predicate : request.predicate?.replacingIDs { permanentID(of: $0) }
    var fetch = StoreFetch(
      shape, includesSubentities: request.includesSubentities, where: predicate,
      sortedBy: request.sortTerms, limit: request.fetchLimit, offset: request.fetchOffset)
    try stack.checkedFetches.check(&fetch, model) {
      if let predicate { try checkIDs(in: predicate) }
    }
    if let predicate {
      LikeHint.give(for: predicate)
      if stack.hasEnums { try EnumComparison(entity: shape, stack: stack).check(predicate) }
    }
    for path in request.relationshipKeyPathsForPrefetching {
      try checkPrefetching(path.propertyNames, from: shape)
    }
    if let affected = request.affectedStores { restrict(&fetch, to: affected) }
    if fetch.limit == 0, checksQueue { Self.noResults.give(about: request.entityName) }
    return fetch
  }

  private static let noResults = Hint(
    " was fetched with the limit 0, which finds nothing. Write nil for no limit; in Core Data, 0 is none."
  )

  private func checkPrefetching(
    _ names: [String], from entity: EntityShape
  ) throws(FetchPredicateError) {
    let path = try KeyPathShape(names, in: entity, model)
    guard path.attribute == nil else {
      throw FetchPredicateError(
        .unknownKeyPath,
        "\(entity.name).\(names.joined(separator: ".")) ends in an attribute. Only relationships can be prefetched."
      )
    }
  }
}
