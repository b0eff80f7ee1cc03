// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// The objects that satisfy the request, changes of this context and its ancestors included.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    beginWork()
    defer { endWork() }
    let fetch = try storeFetch(request)
    let pending = pendingChanges(request, fetch)
    let objects =
      try pending?.objects(fetch)
      ?? (request.readsIDsAlone
        ? source.keys(fetch).map { object(forKey: $0) } : storedObjects(fetch))
    if request.shouldRefreshRefetchedObjects { try refetch(objects) }
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      try prefetch(request.relationshipKeyPathsForPrefetching, of: objects)
    }
    return objects
  }

  /// The objects of the class's entity that satisfy the request.
  @inlinable
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, _ request: FetchRequest
  ) throws -> [Object] {
    let objects = try fetch(request)
    return typed(objects)
  }

  /// The same array, seen as one of the class that all its objects have.
  @inlinable
  func typed<Object: ManagedObject>(_ objects: [ManagedObject]) -> [Object] {
    guard let first = objects.first else { return [] }
    precondition(
      first is Object, "A fetch of \(Object.self) found objects of class \(Swift.type(of: first)).")
    // An entity's objects all have its class or one below it, and arrays of classes look alike.
    return unsafe unsafeBitCast(objects, to: [Object].self)
  }

  /// The objects that satisfy the request kept in the model under the name, its variables replaced.
  public func fetch(
    template name: String, substituting values: [String: Value] = [:]
  ) throws -> [ManagedObject] {
    guard let request = model.fetchRequest(fromTemplate: name, substituting: values) else {
      throw ContextError.unknownTemplate(name)
    }
    return try fetch(request)
  }

  /// The number of objects that satisfy the request.
  public func count(_ request: FetchRequest) throws -> Int {
    beginWork()
    defer { endWork() }
    return try answer(.count(of: storeFetch(request, for: .counts)), request).count
  }

  /// The ids of the objects that satisfy the request; no object is made.
  public func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    beginWork()
    defer { endWork() }
    let fetch = try storeFetch(request, for: .ids)
    if let pending = pendingChanges(request, fetch) {
      return try pending.objects(fetch).map(\.objectID)
    }
    return try source.keys(fetch).map { ManagedObjectID(key: $0, scope: stack.scope) }
  }

  /// The sum, least, greatest or mean value of an attribute over the objects that satisfy the
  /// request; null where there is none.
  ///
  /// `min` and `max` are of what has an order, `sum` of numbers, `average` of numbers and dates.
  public func aggregate(
    _ function: AggregateFunction, of keyPath: String, _ request: FetchRequest
  ) throws -> Value { try aggregate(function, of: keyPath.propertyNames, request) }

  func aggregate(
    _ function: AggregateFunction, of path: [String], _ request: FetchRequest
  ) throws -> Value {
    beginWork()
    defer { endWork() }
    let fetch = try storeFetch(request, for: .aggregates)
    return try answer(TableQuestion(fetch, [.aggregate(function, of: path)]), request).value
  }

  private func answer(_ question: TableQuestion, _ request: FetchRequest) throws -> TableAnswer {
    var question = question
    try question.check(model)
    return try request.includesPendingChanges ? answer(question) : source.answer(question)
  }

  /// The answer with the changes of this context and its ancestors.
  func answer(_ question: TableQuestion) throws -> TableAnswer {
    let pending = PendingChanges(self, concerning: question.fetch, reading: question.paths)
    return try pending?.answer(question) ?? source.answer(question)
  }

  /// The changes here, if they bear upon the request.
  private func pendingChanges(_ request: FetchRequest, _ fetch: StoreFetch) -> PendingChanges? {
    request.includesPendingChanges ? PendingChanges(self, concerning: fetch) : nil
  }

  func storedObjects(_ fetch: StoreFetch) throws(StoreError) -> [ManagedObject] {
    let pages = try source.rows(fetch)
    expect(pages)
    var objects: [ManagedObject] = []
    objects.reserveCapacity(pages.reduce(0) { $0 + $1.count })
    for page in pages {
      for index in 0..<page.count { objects.append(object(showing: page, index)) }
    }
    return objects
  }

  /// The request as a store is asked for it. What does not fit the model, or asks for something that
  /// does not exist, is refused here and in the same words, wherever the answer would come from.
  func storeFetch(
    _ request: FetchRequest, for purpose: FetchPurpose = .objects
  ) throws -> StoreFetch {
    guard let shape = model.shape(named: request.entityName) else {
      throw ContextError.unknownEntity(request.entityName)
    }
    try request.check(for: purpose)
    var fetch = StoreFetch(
      shape, includesSubentities: request.includesSubentities, where: request.predicate,
      sortedBy: request.sortTerms, limit: request.fetchLimit, offset: request.fetchOffset)
    try fetch.check(model)
    for path in request.relationshipKeyPathsForPrefetching {
      try checkPrefetching(path.propertyNames, from: shape)
    }
    if let affected = request.affectedStores { restrict(&fetch, to: affected) }
    return fetch
  }

  private func checkPrefetching(
    _ names: [String], from entity: EntityShape
  ) throws(FetchPredicateError) {
    let path = try KeyPathShape(names, in: entity, model)
    guard path.attribute == nil else {
      throw FetchPredicateError(
        .unknownKeyPath,
        "\(entity.name).\(names.joined(separator: ".")) ends in no relationship to prefetch.")
    }
  }
}
