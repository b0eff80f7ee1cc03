// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore

/// The condition of a request: which rows, in which order, and how many.
final class FollowedCondition {
  let request: FetchRequest
  /// The fetch of all rows that the predicate accepts.
  let fetch: StoreFetch
  let scope: StoreScope
  /// The part of the order that the request shows.
  let shown: ShownPart
  /// The rows alone decide. If not, the predicate or the order reads other rows.
  let isExact: Bool
  /// The slots of the own rows that the predicate and the order read.
  let slots: SlotSet
  /// The condition by which an index finds the request.
  let rowGuard: RowGuard?
  /// All that the fetch reads, its own rows among them.
  let reads: ReadNotes
  /// The question for groups of the rows; nil if the request asks for rows.
  let question: TableQuestion?
  /// The same, if the rows alone tell the groups.
  let groups: GroupQuestion?
  private let evaluator: PredicateEvaluator?
  private let order: SubjectOrder

  /// Checks the request as a fetch would. A question is one for groups of the request's objects.
  init(
    _ request: FetchRequest, _ question: TableQuestion? = nil, in context: ManagedObjectContext,
    _ scope: StoreScope
  ) throws {
    var fetch = try context.checkedFetch(request)
    let model = context.model
    order = try SubjectOrder(fetch.sortTerms, in: fetch.entity, model)
    guard !order.isRandom else {
      throw ObservationError.randomOrder(entity: fetch.entity.name)
    }
    self.request = request
    self.scope = scope
    shown = fetch.shown
    fetch.limit = nil
    fetch.offset = 0
    self.fetch = fetch
    evaluator = try fetch.predicate.map {
      try PredicateEvaluator($0, in: fetch.entity, model)
    }
    var notes = ReadNotes()
    notes.noteEntities(of: fetch, model)
    question?.forEachKeyPath { notes.noteSteps(of: $0, from: fetch.entity, model) }
    reads = notes.completed(model)
    self.question = question
    groups = try question.flatMap { try GroupQuestion($0, model) }
    let own = OwnSlots(fetch, question, model)
    // Rows do not tell whether one of the affected stores has them.
    isExact = own.isExact && fetch.affectedStores == nil
    slots = own.slots
    rowGuard = fetch.predicate.flatMap { RowGuard($0, in: fetch.entity, model) }
  }

  var family: ClosedRange<Int> { fetch.family }
  var isSorted: Bool { !order.isEmpty }
  var isFiltered: Bool { evaluator != nil }

  /// The request shows the row, bounds left aside.
  func includes(_ row: RowPlace) throws(FetchPredicateError) -> Bool {
    guard family.contains(row.key.entity) else { return false }
    return try evaluator?.matches(FollowedSubject(row: row, scope: scope)) ?? true
  }

  /// The values that the order compares.
  func keys(of row: RowPlace) throws(FetchPredicateError) -> [Value] {
    try order.keys(of: FollowedSubject(row: row, scope: scope))
  }

  /// The first row comes before the second. The keys of the rows decide where the order does not.
  func precedes(
    _ left: (keys: [Value], key: RowKey), _ right: (keys: [Value], key: RowKey)
  ) -> Bool {
    let result = order.compare(left.keys, right.keys)
    return result != 0 ? result < 0 : left.key < right.key
  }
}

/// The slots of a row that a fetch reads, and whether it reads nothing else.
private struct OwnSlots {
  var slots = SlotSet()
  var isExact = true

  init(_ fetch: StoreFetch, _ question: TableQuestion?, _ model: ManagedObjectModel) {
    question?.forEachKeyPath { note($0, fetch.entity, model) }
    fetch.predicate?.forEachKeyPath { note($0, fetch.entity, model) }
    for term in fetch.sortTerms {
      term.expression.forEachKeyPath { note($0, fetch.entity, model) }
    }
  }

  private mutating func note(
    _ names: [String], _ entity: EntityShape, _ model: ManagedObjectModel
  ) {
    if let slot = RowGuard.Slot(names, in: entity, model) {
      slots.insert(slot.number)
    } else {
      isExact = false
    }
  }
}

extension ReadNotes {
  /// The notes with the names of all that is read.
  func completed(_ model: ManagedObjectModel) -> ReadNotes {
    guard readsEverything else { return self }
    var all = self
    all.entities = Set(model.shapes.map(\.number))
    all.joins = Set(model.joins.indices)
    return all
  }
}
