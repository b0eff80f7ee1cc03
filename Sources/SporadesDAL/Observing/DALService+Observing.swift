// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
import SporadesStore

// Values that follow the writes.
extension DALService {
  /// Observes the objects of a request: the present value, and a newer one after writes that concern it.
  ///
  /// ```text
  /// let best = User.where(\.team == 7).sorted(by: \.score).limit(10)
  /// for try await names in service.observe(best, mapping: { $0.map(\.name) }) { show(names) }
  /// ```
  ///
  /// The mapping makes a value of the objects, on a thread of the service's reads. Its context shows one point of the order
  /// of writes, also where the mapping follows relationships or fetches; a change of what it has read leads to a new
  /// value. It must not change objects.
  ///
  /// A write that does not concern the request costs nothing. Where the changed rows tell the result, the store is not asked
  /// again.
  public func observe<Object: ManagedObject, Value: Sendable>(
    _ request: TypedRequest<Object>, mapping: @escaping @Sendable ([Object]) throws -> Value
  ) -> ObservedValues<Value> {
    values(
      of: ObservationPlan(requests: [.objects(of: request)]) { context, results in
        try mapping(results[0].objects(of: Object.self, in: context))
      })
  }

  /// Observes the objects of several requests, all at one point of the order of writes.
  public func observe<
    First: ManagedObject, Second: ManagedObject, each Other: ManagedObject, Value: Sendable
  >(
    _ first: TypedRequest<First>, _ second: TypedRequest<Second>,
    _ others: repeat TypedRequest<each Other>,
    mapping: @escaping @Sendable ([First], [Second], repeat [each Other]) throws -> Value
  ) -> ObservedValues<Value> {
    var requests: [ObservationPlan<Value>.Request] = [.objects(of: first), .objects(of: second)]
    for other in repeat each others { requests.append(.objects(of: other)) }
    return values(
      of: ObservationPlan(requests: requests) { context, results in
        var rest = results.dropFirst(2)
        func next<Object: ManagedObject>(_ type: Object.Type) -> [Object] {
          rest.popFirst()?.objects(of: type, in: context) ?? []
        }
        return try mapping(
          results[0].objects(of: First.self, in: context),
          results[1].objects(of: Second.self, in: context), repeat next((each Other).self))
      })
  }

  /// Observes values of a request's objects, without the objects: `observe(players, plucking: \.name, \.team?.name)`.
  ///
  /// A key path may be that of any property of the class, and may lead through relationships.
  public func observe<Object: ManagedObject, First: Sendable, each Other: Sendable>(
    _ request: TypedRequest<Object>, plucking keyPath: any KeyPath<Object, First> & Sendable,
    _ others: repeat any KeyPath<Object, each Other> & Sendable
  ) -> ObservedValues<[(First, repeat each Other)]> {
    observe(request) { objects in
      objects.map { ($0[keyPath: keyPath], repeat $0[keyPath: each others]) }
    }
  }

  /// Observes the number of objects of a request, within its limit and offset.
  public func observe<Object: ManagedObject>(
    count request: TypedRequest<Object>
  ) -> ObservedValues<Int> {
    let counted = ObservationPlan<Int>.Request(form: .count) {
      (try request.fetchRequest(in: $0), nil)
    }
    return values(of: ObservationPlan(requests: [counted]) { _, results in results[0].count })
  }

  /// Observes groups of objects: their keys and the values that are computed over each.
  ///
  /// ```text
  /// let teams = Player.request.grouped(by: \.team?.name) { ($0.count, $0.sum(\.points)) }.sorted { .descending($0.count) }
  /// for try await rows in service.observe(groups: teams) { show(rows) }
  /// ```
  ///
  /// Counts, sums and means of whole numbers, and least and greatest values over attributes follow from the changed rows.
  /// The store is asked again when the row of a least or greatest value goes, for sums of fractions and for different
  /// values, and where a key path leads to other objects.
  public func observe<Object: ManagedObject, Key: Sendable, Values: Sendable>(
    groups request: GroupedRequest<Object, Key, Values>
  ) -> ObservedValues<[(Key, Values)]> {
    let groups = ObservationPlan<[(Key, Values)]>.Request(form: .groups) { context in
      let (request, question) = try request.parts(in: context)
      return (request, question)
    }
    return values(
      of: ObservationPlan(requests: [groups]) { context, results in
        try request.values(of: results[0].answer, in: context)
      })
  }

  /// Observes one object: a value of it, and nil while the store has no row of it.
  public func observe<Object: ManagedObject, Value: Sendable>(
    object id: ManagedObjectID, as type: Object.Type,
    mapping: @escaping @Sendable (Object) throws -> Value
  ) -> ObservedValues<Value?> {
    let request = ObservationPlan<Value?>.Request(form: .rows) { context in
      (try context.request(forObject: id, as: Object.self), nil)
    }
    return values(
      of: ObservationPlan(requests: [request]) { context, results in
        try results[0].objects(of: Object.self, in: context).first.map(mapping)
      })
  }

  /// Observes one object: a value of it, and nil while the store has no row of it.
  public func observe<Object: ManagedObject, Value: Sendable>(
    object: Object, mapping: @escaping @Sendable (Object) throws -> Value
  ) -> ObservedValues<Value?> {
    observe(object: object.objectID, as: Object.self, mapping: mapping)
  }

  private func values<Value: Sendable>(
    of plan: ObservationPlan<Value>
  ) -> ObservedValues<Value> {
    ObservedValues { [weak self] in ValueStream(self, plan) }
  }

  /// The counts of the service's observers.
  package var liveMetrics: FollowingMetrics { live.withLock { $0?.metrics } ?? FollowingMetrics() }

  /// The hub of the service's observers, made for the first one.
  func liveHub() throws(DALError) -> FollowingHub {
    let stack = try stack(for: .read)
    return live.withLock { hub in
      if let hub { return hub }
      let made = FollowingHub(stack)
      hub = made
      return made
    }
  }
}

extension ObservationPlan.Request {
  fileprivate static func objects<Object: ManagedObject>(of request: TypedRequest<Object>) -> Self {
    Self(form: .rows) { (try request.fetchRequest(in: $0), nil) }
  }
}

extension ManagedObjectContext {
  /// The request for the object with the id.
  fileprivate func request<Object: ManagedObject>(
    forObject id: ManagedObjectID, as type: Object.Type
  ) throws -> FetchRequest {
    guard !id.isTemporaryID else { throw ObservationError.unsavedObject(id) }
    do throws(ContextError) { _ = try object(with: id) } catch {
      throw ObservationError.foreignObject(id)
    }
    let entity = try Object.request.fetchRequest(in: self).entityName
    guard let own = model.shape(named: id.entityName),
      model.shape(named: entity)?.family.contains(own.number) == true
    else { throw ObservationError.wrongClass(id, expected: "\(Object.self)") }
    return FetchRequest(
      own.name,
      where: .comparison(.init(.subject, .equal, .constant(.objectID(id)))), limit: nil)
  }
}
