// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesGraph
import SporadesModel

/// Lets the writes of a service pass one after the other, or all at once where it was asked to.
///
/// Rules:
/// 1. Writes pass in the order they came, whether their callers wait or not.
/// 2. A wait that would never end traps at once.
/// 3. A write that was let in is waited for, whether it has reached the queue or not: to its caller
///    it may succeed at any moment.
/// 4. What passes alone comes after every write that came before, and before those that come later.
/// 5. Writes that nobody waits for are bounded in number. Who asks for one more waits for room, is not let
///    in before that, and hears like everybody else where the gate stops or closes.
final class WriterGate: Sendable {
  private let queue: DispatchQueue
  private let isConcurrent: Bool
  private let state: Guarded<State>
  private let resource = WaitResource("the writes of a service")

  fileprivate struct State {
    var queued = 0
    var mostQueued = 0
    var room: WaitingRoom
    /// Refuses writes, and lets who asks for one wait until nobody is in the group.
    var stopping: DispatchGroup?
    var isClosed = false
    /// What waits, at a gate that lets nobody in, for the writes that were let in before.
    var afterLast: [@Sendable () -> Void] = []
  }

  init(allowsConcurrentWritings: Bool, limit: Int) {
    precondition(
      limit > 0, "pendingWriteLimit is \(limit); at least one write has to be let in.")
    state = Guarded(State(room: WaitingRoom(limit: limit)))
    isConcurrent = allowsConcurrentWritings
    queue = DispatchQueue(
      label: "sporades.writes", qos: .userInitiated,
      attributes: allowsConcurrentWritings ? .concurrent : [])
  }

  /// Writes that wait for their turn or run.
  var queued: Int { state.withLock(\.queued) }

  /// Writes that are queued, that wait for room, and the most that were queued at once.
  var numbers: (queued: Int, waiting: Int, most: Int) {
    state.withLock { ($0.queued, $0.room.waiting.count, $0.mostQueued) }
  }

  /// Refuses writes from now on, for a while or for good; those that wait already still pass. Who
  /// asks for one hears of it when nobody is in `flushes` any more, and passes after all where the
  /// gate goes on by then.
  func stop(until flushes: DispatchGroup) {
    turnAway { $0.stopping = flushes }
  }
  func goOn() { state.withLock { $0.stopping = nil } }

  /// False where the gate was closed before.
  func close() -> Bool {
    var wasOpen = false
    turnAway { state in
      wasOpen = !state.isClosed
      state.isClosed = true
    }
    return wasOpen
  }
  func reopen() { state.withLock { $0.isClosed = false } }

  /// Runs `body` on the calling thread when its turn comes, or returns why it may not pass.
  func pass(_ body: () -> Void) -> DALError? {
    if let refusal = enter() {
      refusal.wait()
      if let refusal = enter() { return refusal.error }
    }
    defer { leave() }
    resource.wait(toShare: isConcurrent) {
      queue.sync { if isConcurrent { resource.share(body) } else { resource.hold(body) } }
    }
    return nil
  }

  /// Runs `body` later, when its turn comes, or returns why it may not pass. Where there is no room, the
  /// calling thread waits for it if it may.
  func passLater(
    mayBlock: @autoclosure () -> Bool, _ body: @escaping @Sendable () -> Void
  ) -> Refusal? {
    while true {
      switch enterLater(elseTell: nil) {
      case .entered:
        queueLater(body)
        return nil
      case .refused(let refusal): return refusal
      case .full(let limit) where !mayBlock():
        return Refusal(error: DALError(.tooManyWrites(limit: limit), during: .write), flushes: nil)
      case .full, .waiting:
        guard waitForRoom() else { continue }
        queueLater(body)
        return nil
      }
    }
  }

  /// Blocks until a write is let in; false where the caller has to ask again.
  private func waitForRoom() -> Bool {
    let answer = Guarded(RoomAnswer.refused)
    let isAnswered = DispatchSemaphore(value: 0)
    let entry = enterLater { given in
      answer.withLock { $0 = given }
      isAnswered.signal()
    }
    switch entry {
    case .entered: return true
    case .refused, .full: return false
    case .waiting:
      isAnswered.wait()
      return answer.withLock { $0 } == .admitted
    }
  }

  /// Runs `body` later, when there is room and its turn comes, or calls `refuse` with why it may not pass.
  /// Nobody is blocked.
  func passWithRoom(
    orRefuse refuse: @escaping @Sendable (Refusal) -> Void, _ body: @escaping @Sendable () -> Void
  ) {
    let entry = enterLater { [self] answer in
      guard answer == .admitted else { return passWithRoom(orRefuse: refuse, body) }
      queueLater(body)
    }
    switch entry {
    case .entered: queueLater(body)
    case .refused(let refusal): refuse(refusal)
    case .waiting, .full: break
    }
  }

  private func queueLater(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      if self.isConcurrent { self.resource.share(body) } else { self.resource.hold(body) }
      self.leave(isLater: true)
    }
  }

  /// Runs `body` while no write runs, after those that came before.
  func passAlone(_ body: () -> Void) {
    resource.wait { queue.sync(flags: .barrier) { resource.hold(body) } }
  }

  /// Calls `body` when every write that came before has passed.
  func whenDrained(_ body: @escaping @Sendable () -> Void) {
    queue.async(flags: .barrier) { [self] in
      let isLate = state.withLock { state in
        guard state.stopping != nil || state.isClosed, state.queued > 0 else { return false }
        state.afterLast.append(body)
        return true
      }
      if !isLate { body() }
    }
  }

  /// Why a write may not pass.
  struct Refusal {
    let error: DALError
    fileprivate let flushes: DispatchGroup?

    /// Returns when the caller may hear of it. A thread that holds what a flush may wait for hears of
    /// it at once.
    func wait() {
      if !WaitResource.currentThreadHoldsAny { flushes?.wait() }
    }

    /// Calls `body` when the caller may hear of it.
    func whenTold(_ body: @escaping @Sendable () -> Void) {
      guard let flushes else { return body() }
      flushes.notify(queue: .global(qos: .userInitiated), execute: body)
    }
  }

  private func enter() -> Refusal? {
    state.withLock { state in
      if let refusal = state.refusal { return refusal }
      state.letIn()
      return nil
    }
  }

  private enum Entry {
    case entered, waiting
    case refused(Refusal)
    case full(limit: Int)
  }

  /// Lets a write in that nobody waits for. Where there is no room, `answer` waits for it, if there is one.
  private func enterLater(elseTell answer: (@Sendable (RoomAnswer) -> Void)?) -> Entry {
    state.withLock { state in
      if let refusal = state.refusal { return .refused(refusal) }
      if state.room.enter() {
        state.letIn()
        return .entered
      }
      guard let answer else { return .full(limit: state.room.limit) }
      state.room.waiting.append(answer)
      return .waiting
    }
  }

  private func leave(isLater: Bool = false) {
    let (waiting, admitted) = state.withLock { state in
      state.queued -= 1
      let admitted = isLater ? state.room.leave(isOpen: state.refusal == nil) : []
      for _ in admitted { state.letIn() }
      guard state.queued == 0 else { return ([@Sendable () -> Void](), admitted) }
      defer { state.afterLast = [] }
      return (state.afterLast, admitted)
    }
    for body in waiting { queue.async(flags: .barrier, execute: body) }
    for answer in admitted { answer(.admitted) }
  }

  /// Changes what the gate lets in, and has those that wait for room ask again.
  private func turnAway(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      return state.room.clear()
    }
    for answer in waiting { answer(.refused) }
  }
}

extension WriterGate.State {
  /// Why no write is let in; nil where writes are.
  fileprivate var refusal: WriterGate.Refusal? {
    if isClosed {
      return WriterGate.Refusal(error: DALError(.closed, during: .write), flushes: nil)
    }
    return stopping.map {
      WriterGate.Refusal(error: DALError(.stopping, during: .write), flushes: $0)
    }
  }

  fileprivate mutating func letIn() {
    queued += 1
    if queued > mostQueued { mostQueued = queued }
  }
}
