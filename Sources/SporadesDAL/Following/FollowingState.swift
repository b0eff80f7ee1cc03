// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// All observers of a service, the index of their requests, and the results.
struct FollowingState {
  private(set) var observers: [Int: FollowingObserver] = [:]
  private var parts: [Int: FollowedPart] = [:]
  /// The observers by the numbers of their readers.
  private var readers: [Int: Int] = [:]
  private var index: RequestIndex
  private var log = FollowingLog()
  /// The observers whom every change concerns.
  private var followers: Set<Int> = []
  private var lastNumber = 0
  /// The number of the last save that the results show.
  private(set) var known = 0
  private(set) var metrics = FollowingMetrics()
  private let model: ManagedObjectModel

  init(_ scope: StoreScope, _ model: ManagedObjectModel, known: Int) {
    index = RequestIndex(scope)
    self.model = model
    self.known = known
  }

  var isEmpty: Bool { observers.isEmpty }

  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: - Observers

  mutating func add(
    _ consumer: any FollowingConsumer,
    _ requests: [(condition: FollowedCondition, form: FollowedPart.Form)]
  ) -> Int {
    let number = nextNumber()
    var own: [Int] = []
    for (condition, form) in requests {
      let part = nextNumber()
      own.append(part)
      parts[part] = FollowedPart(observer: number, condition: condition, form: form)
      index.watch(condition.reads.entities, by: 1)
    }
    let reader = nextNumber()
    readers[reader] = number
    observers[number] = FollowingObserver(consumer: consumer, parts: own, reader: reader)
    metrics.observers += 1
    return number
  }

  mutating func remove(_ number: Int) {
    guard let observer = observers.removeValue(forKey: number) else { return }
    metrics.observers -= 1
    for part in observer.parts {
      forget(part)
      if let condition = parts.removeValue(forKey: part)?.condition {
        index.watch(condition.reads.entities, by: -1)
      }
    }
    index.removeReader(observer.reader, observer.reads)
    index.watch(observer.reads.entities, by: -1)
    readers[observer.reader] = nil
    followers.remove(number)
  }

  func part(_ place: Int, of number: Int) -> FollowedPart? {
    observers[number].flatMap { parts[$0.parts[place]] }
  }

  /// Gives up the rows of a part, so that the next value asks for them.
  private mutating func forget(_ number: Int) {
    guard let part = parts[number] else { return }
    if case .missing = part.content { return }
    index.remove(number, part.condition)
    if part.notesMembers { index.release(part.keys, number) }
    parts[number]?.content = .missing
  }

  // MARK: - Making a value

  /// The observer needs a state of the store for its next value.
  func needsState(_ number: Int) -> Bool {
    guard let observer = observers[number] else { return false }
    return observer.readsMore
      || observer.parts.contains { parts[$0]?.needsStore == true }
  }

  /// Begins a value. Every begin is followed by an end with the same start.
  mutating func begin(_ number: Int, in state: QueryGeneration?, isWithoutState: Bool)
    -> FollowingTicket?
  {
    guard let observer = observers[number] else { return nil }
    observers[number]?.isDirty = false
    observers[number]?.origin = ChangeOrigin()
    let answers = observer.parts.map { part -> PartAnswer in
      guard let part = parts[part], !isWithoutState else { return .unknown }
      return switch part.content {
      case .missing: .unknown
      case .rows(let rows): .rows(rows.shown, of: part.condition.request)
      case .count(let count): .count(count.shown)
      case .answer(let answer): .groups(answer)
      case .asked(let asked): asked.answer.map { .groups($0) } ?? .unanswered(asked.members)
      // `try?`, because the store then refuses the question with its sentence.
      case .groups(let groups): (try? groups.answer()).map { .groups($0) } ?? .unknown
      }
    }
    return FollowingTicket(
      start: log.begin(), number: known, state: state, isWithoutState: isWithoutState,
      answers: answers, origin: observer.origin)
  }

  /// Takes the rows that a maker of a value has fetched in the state of its ticket.
  mutating func install(
    _ content: FollowedPart.Content, _ place: Int, of number: Int, since start: Int, isFirst: Bool
  ) {
    guard let part = observers[number]?.parts[place], let condition = parts[part]?.condition else {
      return
    }
    if !isFirst {
      let path = condition.isExact ? \FollowingMetrics.askedAgain : \.askedThroughRelationships
      metrics[keyPath: path] += 1
    }
    forget(part)
    guard let missed = log.changes(since: start) else { return markDirty(number, ChangeOrigin()) }
    parts[part]?.content = content
    index.add(part, condition)
    if let new = parts[part], new.notesMembers { index.hold(new.keys, part) }
    for changes in missed {
      if changes.isUnknown || changes.unread.contains(where: condition.concerns) {
        forget(part)
        return markDirty(number, changes.origin)
      }
      if !condition.isExact {
        guard !changes.meet(condition.reads) else {
          forget(part)
          return markDirty(number, changes.origin)
        }
        continue
      }
      if changes.isReset { empty(part, changes.origin) }
      apply(Array(changes.rows.values), to: part, changes.origin)
    }
  }

  /// Ends a value, and notes what its mapping has read beside the parts.
  mutating func end(_ number: Int, _ ticket: FollowingTicket, _ notes: ReadNotes?) {
    defer { log.finish(ticket.start) }
    metrics.values += 1
    guard let observer = observers[number] else { return }
    if ticket.isWithoutState { followers.insert(number) } else { followers.remove(number) }
    let notes = (notes ?? ReadNotes()).completed(model)
    if !(notes.isEmpty && observer.reads.isEmpty) {
      index.removeReader(observer.reader, observer.reads)
      index.watch(observer.reads.entities, by: -1)
      observers[number]?.reads = notes
      index.addReader(observer.reader, notes)
      index.watch(notes.entities, by: 1)
    }
    let missed = log.changes(since: ticket.start)
    let isOld = missed?.contains { ticket.isWithoutState ? !$0.isEmpty : $0.meet(notes) } ?? true
    if isOld && (ticket.isWithoutState || !notes.isEmpty) { markDirty(number, ChangeOrigin()) }
  }

  /// Gives a value up that could not be made of the ticket's rows alone.
  mutating func giveUp(_ number: Int, _ ticket: FollowingTicket, readsMore: Bool) {
    log.finish(ticket.start)
    observers[number]?.isDirty = true
    observers[number]?.origin.formUnion(ticket.origin)
    if readsMore { observers[number]?.readsMore = true }
  }

  // MARK: - Changes

  private var woken: [any FollowingConsumer] = []

  /// The consumers that have a newer value since the last call.
  mutating func takeWoken() -> [any FollowingConsumer] {
    defer { woken = [] }
    return woken
  }

  private mutating func markDirty(_ number: Int, _ origin: ChangeOrigin) {
    observers[number]?.origin.formUnion(origin)
    guard let observer = observers[number], !observer.isDirty else { return }
    observers[number]?.isDirty = true
    metrics.concerned += 1
    if let consumer = observer.consumer { woken.append(consumer) }
  }

  /// Somebody reads rows of the key's entity.
  func isWatched(_ key: RowKey) -> Bool { index.isWatched(key) }

  /// Brings all results to the save with the number.
  mutating func apply(_ changes: RowChanges, upTo number: Int) {
    known = max(known, number)
    guard !changes.isEmpty else { return }
    log.add(changes)
    if changes.isUnknown { return forgetAll(changes.origin) }
    if changes.isReset { emptyAll(changes.origin) }
    var concerned: [Int: [RowChange]] = [:]
    var linked: Set<Int> = []
    for change in changes.rows.values {
      var last = -1
      index.forEach(concernedBy: change) { owner in
        guard owner != last else { return }
        last = owner
        if concerned[owner]?.last?.key != change.key {
          concerned[owner, default: []].append(change)
        }
      }
    }
    for join in changes.joins {
      for owner in index.owners(ofJoin: join) { linked.insert(owner) }
    }
    for (owner, rows) in concerned { apply(rows, to: owner, ChangeOrigin()) }
    for owner in linked where concerned[owner] == nil { apply([], to: owner, changes.origin) }
    for number in followers { markDirty(number, changes.origin) }
  }

  private mutating func apply(_ changes: [RowChange], to owner: Int, _ more: ChangeOrigin) {
    var origin = more
    for change in changes { origin.formUnion(change.origin) }
    if let observer = readers[owner] { return markDirty(observer, origin) }
    guard let observer = parts[owner]?.observer else { return }
    var members = MemberChanges()
    let effect = parts[owner]?.apply(changes, &members) ?? .none
    if parts[owner]?.notesMembers == true {
      index.release(members.left, owner)
      index.hold(members.joined, owner)
    }
    if effect == .lost { forget(owner) }
    if effect != .none { markDirty(observer, origin) }
  }

  private mutating func forgetAll(_ origin: ChangeOrigin) {
    for part in Array(parts.keys) { forget(part) }
    for number in Array(observers.keys) { markDirty(number, origin) }
  }

  private mutating func emptyAll(_ origin: ChangeOrigin) {
    for part in Array(parts.keys) { empty(part, origin) }
    for (number, observer) in observers where !observer.reads.isEmpty { markDirty(number, origin) }
  }

  private mutating func empty(_ number: Int, _ origin: ChangeOrigin) {
    guard let part = parts[number] else { return }
    guard part.condition.isExact else {
      forget(number)
      return markDirty(part.observer, origin)
    }
    let members = parts[number]?.removeAll() ?? MemberChanges()
    if part.notesMembers { index.release(members.left, number) }
    if !members.left.isEmpty { markDirty(part.observer, origin) }
  }
}

extension FollowedCondition {
  /// The row may be one of the entities that the condition reads.
  fileprivate func concerns(_ key: RowKey) -> Bool { reads.entities.contains(key.entity) }
}
