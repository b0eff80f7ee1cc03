// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel

/// A fetch and its results, which events of the context bring up to date.
///
/// Rules:
/// 1. The changed objects leave the list, and those that satisfy the predicate come back at the place
///    that a binary search finds among the others. No other object is looked at.
/// 2. A request with a limit or an offset holds more objects than it shows. It fetches again only when
///    none are left behind the ones it shows.
/// 3. Where the changed objects do not lead to those that may have come or gone, the request is fetched again.
final class LiveFetch {
  let context: ManagedObjectContext
  let request: FetchRequest
  let sectioning: Sectioning?
  private let related: RelatedPaths
  private let family: ClosedRange<Int>
  private(set) var list = ResultList()
  /// The first objects of the order, if the request is bounded: those that it shows, and more.
  var held: [ManagedObject] = []
  /// No objects follow those that are held.
  var isWhole = true

  init(_ request: FetchRequest, _ sectioning: Sectioning?, in context: ManagedObjectContext) throws
  {
    let membership = try FetchMembership(request, in: context)
    guard !membership.isRandom else {
      throw FetchedResultsError.unsupportedRequest(
        "A request for \(request.entityName) has a random order, which no results can follow. Sort by an attribute."
      )
    }
    self.request = request
    self.sectioning = sectioning
    self.context = context
    family = membership.family
    related = RelatedPaths(
      membership.keyPaths + [sectioning?.path ?? []], from: membership.entity, context.model)
  }

  var shown: ShownPart { ShownPart(offset: request.fetchOffset, limit: request.fetchLimit) }

  var isBounded: Bool { request.fetchLimit != nil || request.fetchOffset > 0 }

  func apply(_ change: ResultChange) { list.apply(change) }

  /// Takes over the list of an earlier request, so that the next step leads from there.
  func begin(from former: LiveFetch?) {
    if let former { list = former.list }
  }

  // MARK: - Events

  /// The part of an event that concerns the results.
  func touched(by change: ContextChange) -> Touched {
    var touched = Touched()
    switch change.name {
    case .willSave: return touched
    case .invalidatedAllObjects: return .everything
    case .objectsDidChange:
      guard request.includesPendingChanges, !change.isPartOfMerge else { return touched }
      note(change, in: &touched)
    case .didMergeChanges:
      note(change, in: &touched)
      noteStrangers(change.ids, in: &touched)
    case .didSave:
      guard request.includesPendingChanges else {
        note(change, in: &touched)
        touched.needsFetch = true
        break
      }
      noteSaved(change, in: &touched)
    }
    if change.changesLinks && related.readsJoins { touched.needsFetch = true }
    return touched
  }

  private func note(_ change: ContextChange, in touched: inout Touched) {
    let sets = [
      change.insertedObjects, change.updatedObjects, change.refreshedObjects,
      change.invalidatedObjects, change.deletedObjects,
    ]
    for objects in sets { for object in objects { note(object, in: &touched) } }
  }

  private func note(_ object: ManagedObject, in touched: inout Touched) {
    // because an event may name objects that the context has given up since, in a reset
    guard object.isMade(by: context) else { return }
    if family.contains(object.entityNumber) { touched.changed.insert(object) }
    noteOwners(of: object, in: &touched)
  }

  private func noteOwners(of object: ManagedObject, in touched: inout Touched) {
    guard !touched.needsFetch, related.reaches(object.entityNumber) else { return }
    guard let owners = related.owners(of: object) else {
      touched.needsFetch = true
      return
    }
    touched.displaced.formUnion(owners.filter { family.contains($0.entityNumber) })
  }

  /// Notes objects of a merge that are not in memory yet.
  private func noteStrangers(_ ids: ObjectIDChanges, in touched: inout Touched) {
    for id in ids.insertedObjectIDs.union(ids.updatedObjectIDs).union(ids.refreshedObjectIDs) {
      let entity = id.key.entity
      guard family.contains(entity) || related.reaches(entity) else { continue }
      do throws(ContextError) {
        note(try context.object(with: id), in: &touched)
      } catch {
        // because the object was deleted since, the event of its deletion follows
        continue
      }
    }
    if ids.deletedObjectIDs.contains(where: { related.reaches($0.key.entity) }) {
      touched.needsFetch = true
    }
  }

  /// A save gives new objects their keys, which decide where the order does not, and computes derived
  /// attributes. Other changes were told before.
  private func noteSaved(_ change: ContextChange, in touched: inout Touched) {
    for object in change.insertedObjects where family.contains(object.entityNumber) {
      touched.displaced.insert(object)
    }
    for object in change.insertedObjects.union(change.updatedObjects)
    where context.model.shape(numbered: object.entityNumber).hasDerivedAttributes {
      note(object, in: &touched)
    }
  }

  // MARK: - Fetching

  /// The step to the results of a new fetch. The values of all objects count as changed where `touched` says so.
  func refetch(_ touched: Touched, isFirst: Bool = false) throws -> ResultChange {
    let objects = try fetch()
    let table = try table(of: objects)
    guard !isFirst else {
      return ResultChange(
        edit: .replace(objects), table: table, steps: ListChanges(from: table, to: table, []),
        objects: [])
    }
    return try replacement(by: objects, table, touched)
  }

  private func fetch() throws -> [ManagedObject] {
    guard isBounded else { return try context.fetch(request) }
    var wider = request
    wider.fetchOffset = 0
    wider.fetchLimit = shown.held
    held = try context.fetch(wider)
    isWhole = wider.fetchLimit.map { held.count < $0 } ?? true
    return Array(shown.elements(of: held))
  }

  /// The sections of a whole list.
  func table(of objects: [ManagedObject]) throws -> SectionTable {
    guard let sectioning else { return SectionTable(undivided: objects.count) }
    let names = try objects.map(sectioning.name)
    do throws(SectionTable.Repetition) {
      return try SectionTable(names: names)
    } catch {
      throw FetchedResultsError.sectionsOutOfOrder(
        section: error.name, object: objects[error.position].objectID)
    }
  }

  // MARK: - One step

  /// The step that an event makes necessary; nil if it concerns nothing of the results.
  func change(for touched: Touched) throws -> ResultChange? {
    if touched.isEmpty { return nil }
    if touched.needsFetch || !request.includesPendingChanges {
      return try refetch(touched)
    }
    return try isBounded ? boundedChange(for: touched) : exchange(touched)
  }

  /// The step that takes the touched objects out, and puts back those that satisfy the predicate.
  private func exchange(_ touched: Touched) throws -> ResultChange? {
    let all = touched.all
    let membership = try FetchMembership(request, in: context)
    try membership.read(all)
    let removed = positions(of: all)
    let others = Thinned(objects: list.objects, removed: removed)
    let inserted = try placed(all, among: others, membership)
    guard !removed.isEmpty || !inserted.isEmpty else { return nil }
    let table = try table(removing: removed, inserting: inserted)
    var candidates: [ObjectIdentifier: ListChanges.Candidate] = [:]
    var objects: [ObjectIdentifier: ManagedObject] = [:]
    func note(_ object: ManagedObject, _ set: (inout ListChanges.Candidate) -> Void) {
      let id = ObjectIdentifier(object)
      objects[id] = object
      var candidate =
        candidates[id] ?? .init(isChanged: touched.changed.contains(object))
      set(&candidate)
      candidates[id] = candidate
    }
    for position in removed { note(list.objects[position]) { $0.old = position } }
    for (rank, new) in inserted.enumerated() { note(new.object) { $0.new = new.position + rank } }
    let ids = Array(candidates.keys)
    return ResultChange(
      edit: .exchange(removing: removed, inserting: inserted), table: table,
      steps: ListChanges(from: list.table, to: table, ids.compactMap { candidates[$0] }),
      objects: ids.compactMap { objects[$0] })
  }

  private func positions(of objects: Set<ManagedObject>) -> [Int] {
    if objects.count == 1, let only = objects.first {
      return list.objects.firstIndex { $0 === only }.map { [$0] } ?? []
    }
    return list.objects.indices.filter { objects.contains(list.objects[$0]) }
  }

  /// The objects that satisfy the predicate, in their order, each with the number of others before it.
  private func placed(
    _ objects: Set<ManagedObject>, among others: Thinned, _ membership: FetchMembership
  ) throws -> [(object: ManagedObject, position: Int)] {
    let members = try objects.filter(membership.includes).map {
      (object: $0, place: try membership.place(of: $0))
    }
    return try members.sorted { membership.precedes($0.place, $1.place) }.map {
      ($0.object, try others.position(of: $0.place, membership))
    }
  }

  private func table(
    removing removed: [Int], inserting inserted: [(object: ManagedObject, position: Int)]
  ) throws -> SectionTable {
    guard let sectioning else {
      return SectionTable(undivided: list.table.count - removed.count + inserted.count)
    }
    let named = try inserted.map {
      (name: try sectioning.name($0.object), position: $0.position)
    }
    do throws(SectionTable.Repetition) {
      return try list.table.removing(removed).inserting(named)
    } catch {
      var next = list
      next.apply(
        ResultChange(
          edit: .exchange(removing: removed, inserting: inserted), table: list.table,
          steps: ListChanges(from: list.table, to: list.table, []), objects: []))
      throw FetchedResultsError.sectionsOutOfOrder(
        section: error.name, object: next.objects[error.position].objectID)
    }
  }
}

extension EntityShape {
  fileprivate var hasDerivedAttributes: Bool {
    attributes.contains { $0.description.isDerived }
  }
}
