// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore

/// Follows the saves of a stack for all observers of a service.
///
/// The root delivers each save to an inbox and goes on. A queue takes the saves out, finds the observers that they concern
/// by an index, and applies them to their results. A consumer that waits is woken, and makes its value on a thread of its
/// own. The lock of the state is taken before that of the root, and that of the inbox last.
final class FollowingHub: SaveListener {
  let stack: DataStack
  private let inbox = Guarded(FollowingInbox())
  private let state: Guarded<FollowingState>
  private let ended = Guarded(false)
  private let queue = DispatchQueue(label: "sporades.live", qos: .userInitiated)

  init(_ stack: DataStack) {
    self.stack = stack
    state = Guarded(FollowingState(stack.root.scope, stack.model, known: stack.root.lastPublished))
    stack.root.subscribe(self, ObjectIdentifier(self))
  }

  func deliver(_ arrival: Arrival) {
    let isFirst = inbox.withLock { inbox in
      defer { inbox.add(arrival) }
      return inbox.isEmpty
    }
    if isFirst { queue.async { [weak self] in self?.drain() } }
  }

  private func drain() {
    let woken = state.withLock { state in
      follow(&state)
      return state.takeWoken()
    }
    for consumer in woken { consumer.wake() }
  }

  // MARK: - Observers

  func add(
    _ consumer: any FollowingConsumer,
    _ requests: [(condition: FollowedCondition, form: FollowedPart.Form)]
  ) -> Int { state.withLock { $0.add(consumer, requests) } }

  func remove(_ number: Int) { state.withLock { $0.remove(number) } }

  func isDirty(_ number: Int) -> Bool {
    state.withLock { $0.observers[number]?.isDirty ?? false }
  }

  /// One request of an observer; nil if the observation has ended.
  func part(_ place: Int, of number: Int) -> FollowedPart? {
    state.withLock { $0.part(place, of: number) }
  }

  var metrics: FollowingMetrics { state.withLock(\.metrics) }

  var isEnded: Bool { ended.withLock(\.self) }

  /// Ends all observations.
  func end() {
    ended.withLock { $0 = true }
    let consumers = state.withLock { $0.observers.values.compactMap(\.consumer) }
    for consumer in consumers { consumer.end() }
  }

  // MARK: - Values

  /// The newest answers for an observer, with a state of the store if it needs one.
  func begin(_ number: Int) -> FollowingTicket? {
    let (ticket, woken) = state.withLock { state -> (FollowingTicket?, [any FollowingConsumer]) in
      var needsState = state.needsState(number)
      var kept = needsState ? stateNow() : nil
      // An arrival may take the rows that the observer had. A state from before stores came or went would show other
      // stores than the observer has just been told of.
      while follow(&state, in: kept) || !needsState && state.needsState(number) {
        needsState = state.needsState(number)
        kept = needsState ? stateNow() : nil
      }
      let isWithoutState = kept == nil && needsState
      return (
        state.begin(number, in: kept, isWithoutState: isWithoutState), state.takeWoken()
      )
    }
    for consumer in woken { consumer.wake() }
    return ticket
  }

  func install(
    _ content: FollowedPart.Content, _ place: Int, of number: Int, since start: Int, isFirst: Bool
  ) {
    change { $0.install(content, place, of: number, since: start, isFirst: isFirst) }
  }

  func finish(_ number: Int, _ ticket: FollowingTicket, _ notes: ReadNotes?) {
    change { $0.end(number, ticket, notes) }
  }

  func giveUp(_ number: Int, _ ticket: FollowingTicket, readsMore: Bool) {
    change { $0.giveUp(number, ticket, readsMore: readsMore) }
  }

  private func change(_ body: (inout FollowingState) -> Void) {
    let woken = state.withLock { state in
      body(&state)
      return state.takeWoken()
    }
    for consumer in woken { consumer.wake() }
  }

  // MARK: - Changes

  /// The newest state of the store; nil if the store keeps none now.
  private func stateNow() -> QueryGeneration? {
    // `try?`, because the store is then asked without a state, and an error of the store comes from there.
    try? QueryGeneration(exactlyNowIn: stack.root)
  }

  /// Brings the results to the state, or to all that has arrived. True if stores have come or gone, perhaps since the
  /// state was made.
  @discardableResult
  private func follow(_ state: inout FollowingState, in kept: QueryGeneration? = nil) -> Bool {
    let arrivals = inbox.withLock { $0.take(upTo: kept?.last ?? .max) }
    guard !arrivals.isEmpty || kept != nil else { return false }
    let (changes, last) = changes(arrivals, kept, state)
    state.apply(changes, upTo: last)
    return changes.changesStores
  }

  /// The changes of the arrivals, and the number of the last save that is among them or in the state.
  private func changes(
    _ arrivals: [Arrival], _ kept: QueryGeneration?, _ state: FollowingState
  ) -> (RowChanges, last: Int) {
    var changes = RowChanges()
    var unread: Set<RowKey> = []
    var last = kept?.last ?? 0
    note(arrivals, in: &changes, &unread, &last)
    let wanted = unread.filter(state.isWatched)
    changes.leaveUnread(unread.subtracting(wanted))
    guard !wanted.isEmpty else { return (changes, last) }
    // The rows are read in a state that shows the arrivals, and those up to the state are followed too.
    guard let kept = kept ?? stateNow(), let end = kept.last
    else {
      // The store keeps no state now, so nothing tells what the rows are at one point of the order of saves.
      changes.noteUnknown()
      return (changes, last)
    }
    var more: Set<RowKey> = []
    note(inbox.withLock { $0.take(upTo: end) }, in: &changes, &more, &last)
    changes.leaveUnread(more.filter { !state.isWatched($0) })
    read(wanted.union(more.filter(state.isWatched)), in: kept, &changes)
    return (changes, max(last, end))
  }

  private func note(
    _ arrivals: [Arrival], in changes: inout RowChanges, _ unread: inout Set<RowKey>,
    _ last: inout Int
  ) {
    for arrival in arrivals {
      last = max(last, arrival.number)
      switch arrival {
      case .saved(let set, _):
        changes.add(set)
        for rows in set.rewritten { unread.formUnion(rows.keys) }
      case .lost(let keys, _), .shown(let keys, _): unread.formUnion(keys)
      case .others(let keys, let inserted, _):
        changes.noteOther()
        unread.formUnion(keys)
        unread.formUnion(inserted)
      case .reset:
        changes.noteReset()
        unread = []
      case .outdated: changes.noteUnknown()
      case .storeRemoved, .storesAdded: changes.noteStores()
      case .mark: break
      }
    }
  }

  private func read(
    _ keys: Set<RowKey>, in kept: QueryGeneration, _ changes: inout RowChanges
  ) {
    let trees = Dictionary(grouping: keys) { stack.model.shape(numbered: $0.entity).rootNumber }
    for (_, keys) in trees {
      do throws(StoreError) {
        changes.put(keys, try stack.store.rows(for: keys, in: kept.view))
      } catch {
        // Every request is asked again, and tells its consumer the error if the store still fails.
        return changes.noteUnknown()
      }
    }
  }
}
