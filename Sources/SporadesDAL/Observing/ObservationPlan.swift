// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore

/// The requests of an observation, and the way in which their results become a value.
struct ObservationPlan<Value: Sendable>: Sendable {
  /// One request.
  struct Request: Sendable {
    let form: FollowedPart.Form
    /// Makes the request for the entity of its class, and the question for groups of its objects. Throws a mistake in
    /// its words.
    let make: @Sendable (ManagedObjectContext) throws -> (FetchRequest, TableQuestion?)
  }

  /// The result of one request.
  enum Result {
    case objects([ManagedObject])
    case count(Int)
    case groups(TableAnswer)
  }

  let requests: [Request]
  let mapping: @Sendable (ManagedObjectContext, [Result]) throws -> Value

  /// No request has objects, so that a value needs no context.
  var countsOnly: Bool { requests.allSatisfy { $0.form == .count } }
}

extension ObservationPlan.Result {
  func objects<Object: ManagedObject>(
    of type: Object.Type, in context: ManagedObjectContext
  ) -> [Object] {
    guard case .objects(let objects) = self else { return [] }
    return context.objects(type, objects)
  }

  /// The answer to a question for groups.
  var answer: TableAnswer {
    guard case .groups(let answer) = self else { return TableAnswer(rows: []) }
    return answer
  }

  var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .count(let count): count
    case .groups(let answer): answer.rowCount
    }
  }
}

/// One attempt to make a value of the answers of a ticket.
struct ValueAttempt<Value: Sendable> {
  private let plan: ObservationPlan<Value>
  private let hub: FollowingHub
  private let number: Int
  private let ticket: FollowingTicket
  private let isFirst: Bool
  /// The state that the mapping reads. Without one in the ticket, the first read of the mapping chooses it.
  private let state: QueryGeneration?

  init(
    _ plan: ObservationPlan<Value>, _ hub: FollowingHub, _ number: Int, _ ticket: FollowingTicket,
    isFirst: Bool
  ) {
    self.plan = plan
    self.hub = hub
    self.number = number
    self.ticket = ticket
    self.isFirst = isFirst
    state =
      ticket.isWithoutState
      ? nil : ticket.state ?? QueryGeneration(hub.stack.root, notesReads: true)
  }

  /// Nil if the mapping has read a newer state than that of the answers, so that the value has to be made again.
  func run(mayAskAgain: Bool) throws -> Value? {
    var isFinished = false
    defer { if !isFinished { hub.giveUp(number, ticket, readsMore: readsMore) } }
    let value: Value
    do {
      value = try map()
    } catch  where mayAskAgain && readsMore {
      // The error may come from a state that the mapping could not have.
      return nil
    }
    if ticket.state == nil, let last = state?.last, last != ticket.number { return nil }
    isFinished = true
    hub.finish(number, ticket, state?.reads)
    return value
  }

  /// The mapping has read, or has tried to read, more than the answers hold.
  private var readsMore: Bool {
    guard ticket.state == nil, let state else { return false }
    return state.last != nil || !state.reads.isEmpty
  }

  private func map() throws -> Value {
    let answers = try zip(ticket.answers, plan.requests.indices).map { answer, place in
      switch answer {
      case .unknown: return try ask(place)
      case .unanswered(let keys): return try askForGroups(of: keys, place)
      case .rows, .count, .groups: return answer
      }
    }
    if plan.countsOnly { return try mapCounts(answers) }
    return try hub.stack.read(from: state) { context in
      try DALService.run(
        { context in
          try plan.mapping(context, answers.map { try result($0, context) })
        }, on: context)
    }
  }

  private func mapCounts(_ answers: [PartAnswer]) throws -> Value {
    // A context that nobody reads with costs little, and the mapping has the same form for all.
    try hub.stack.read(from: state) { context in
      try plan.mapping(
        context,
        answers.map { answer in
          if case .count(let count) = answer { .count(count) } else { .count(0) }
        })
    }
  }

  private func result(
    _ answer: PartAnswer, _ context: ManagedObjectContext
  ) throws -> ObservationPlan<Value>.Result {
    switch answer {
    case .count(let count): .count(count)
    case .groups(let answer): .groups(answer)
    case .rows(let rows, let request): .objects(try context.objects(showing: rows, for: request))
    case .unknown, .unanswered: trap("An unknown answer was asked for before.")
    }
  }

  /// Asks the store for one request.
  private func ask(_ place: Int) throws -> PartAnswer {
    guard let part = hub.part(place, of: number) else { return .count(0) }
    let view = try state?.view ?? hub.stack.root.view
    var fetch = part.condition.fetch
    if part.form == .groups { return try askForGroups(part.condition, place, view) }
    if part.form == .count {
      let count = FollowedCount(try hub.stack.store.keys(fetch, in: view), part.condition)
      // The hub changes what is installed, so it is asked before.
      let shown = count.shown
      install(.count(count), place)
      return .count(shown)
    }
    fetch.limit = part.condition.shown.held
    let pages = try hub.stack.store.rows(fetch, in: view)
    let rows = FollowedRows(
      pages.flatMap { page in (0..<page.count).map { RowPlace(page: page, index: $0) } },
      part.condition)
    let shown = rows.shown
    install(.rows(rows), place)
    return .rows(shown, of: part.condition.request)
  }

  private func askForGroups(
    _ condition: FollowedCondition, _ place: Int, _ view: StoreView
  ) throws -> PartAnswer {
    if condition.isExact, let question = condition.groups {
      let pages = try hub.stack.store.rows(condition.fetch, in: view)
      let rows = pages.flatMap { page in
        (0..<page.count).map { RowPlace(page: page, index: $0) }
      }
      let groups = try FollowedGroups(rows, condition, question)
      let answer = try groups.answer()
      install(.groups(groups), place)
      return .groups(answer)
    }
    guard let question = condition.question else { return .unknown }
    let answer = try hub.stack.store.answer(question, in: view)
    if condition.isExact {
      let keys = try hub.stack.store.keys(condition.fetch, in: view)
      install(.asked(FollowedAnswer(Set(keys), condition, answer)), place)
    } else {
      install(.answer(answer), place)
    }
    return .groups(answer)
  }

  /// Asks the store for the groups of rows that are known.
  private func askForGroups(of keys: Set<RowKey>, _ place: Int) throws -> PartAnswer {
    guard let condition = hub.part(place, of: number)?.condition, let question = condition.question
    else { return .count(0) }
    let view = try state?.view ?? hub.stack.root.view
    let answer = try hub.stack.store.answer(question, in: view)
    install(.asked(FollowedAnswer(keys, condition, answer)), place)
    return .groups(answer)
  }

  private func install(_ content: FollowedPart.Content, _ place: Int) {
    guard ticket.state != nil else { return }
    hub.install(content, place, of: number, since: ticket.start, isFirst: isFirst)
  }
}
