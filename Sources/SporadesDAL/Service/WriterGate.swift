// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesGraph
import SporadesModel

/// Runs the writes of a service one after the other, or at the same time if the service allows that.
///
/// Rules:
/// 1. Writes run in the order of their calls, whether their callers wait or not.
/// 2. A wait that would never end is refused at once.
/// 3. A drain waits for every admitted write, also for one that has not reached the queue yet. The caller of
///    such a write may get its success at any moment.
/// 4. A block that runs alone follows all earlier writes and precedes all later ones.
/// 5. The number of writes whose callers do not wait is limited. A caller beyond the limit waits for room, and
///    gets an error if the gate stops or closes meanwhile.
final class WriterGate: Sendable {
  private let queue: DispatchQueue
  private let isConcurrent: Bool
  private let state: Guarded<State>
  private let resource: WaitResource

  fileprivate struct State {
    var queued = 0
    var mostQueued = 0
    var room: WaitingRoom
    /// Set while the gate is stopped. A refused caller waits until every member has left the group.
    var stopping: DispatchGroup?
    var isClosed = false
    /// The blocks that a stopped or closed gate calls after the last admitted write.
    var afterLast: [@Sendable () -> Void] = []
  }

  /// `name` is that of the service's class.
  init(allowsConcurrentWritings: Bool, limit: Int, name: String) {
    trap(
      unless: limit > 0, "pendingWriteLimit is \(limit). Set it to 1 or more.")
    state = Guarded(State(room: WaitingRoom(limit: limit)))
    resource = WaitResource("the writer of \(name)")
    isConcurrent = allowsConcurrentWritings
    queue = DispatchQueue(
      label: "sporades.writes", qos: .userInitiated,
      attributes: allowsConcurrentWritings ? .concurrent : [])
  }

  /// The number of writes that run or wait for earlier writes.
  var queued: Int { state.withLock(\.queued) }

  /// A write waits for the running one.
  var hasFollowers: Bool { queued > 1 }

  /// The numbers of queued writes and of writes that wait for room, and the largest number of queued writes.
  var numbers: (queued: Int, waiting: Int, most: Int) {
    state.withLock { ($0.queued, $0.room.waiting.count, $0.mostQueued) }
  }

  /// Refuses later writes until ``resume()``. Admitted writes still run. A refused caller gets the error when
  /// every member has left `flushes`; if the gate has resumed by then, its write runs.
  func stop(until flushes: DispatchGroup) {
    refuseWaiting { $0.stopping = flushes }
  }
  func resume() { state.withLock { $0.stopping = nil } }

  /// Refuses all later writes. Returns false if the gate was closed before.
  func close() -> Bool {
    var wasOpen = false
    refuseWaiting { state in
      wasOpen = !state.isClosed
      state.isClosed = true
    }
    return wasOpen
  }
  func reopen() { state.withLock { $0.isClosed = false } }

  /// Runs `body` on the calling thread after all earlier writes, or returns the error of a refused write.
  func pass(_ body: () -> Void) -> DALError? {
    if let refusal = admit() {
      refusal.waitForFlushes()
      if let refusal = admit() { return refusal.error }
    }
    defer { endWrite() }
    return refusal(
      of: resource.waitUnlessCircular(toShare: isConcurrent) {
        MainQueue.leave {
          queue.sync { if isConcurrent { resource.share(body) } else { resource.hold(body) } }
        }
      }, during: .write)
  }

  private func refusal(of circle: [String]?, during operation: DALError.Operation) -> DALError? {
    circle.map { DALError(.circularWait($0), during: operation) }
  }

  /// Queues `body`, or returns the refusal. If there is no room and `mayBlock` holds, the calling thread waits.
  func passLater(
    mayBlock: @autoclosure () -> Bool, _ body: @escaping @Sendable () -> Void
  ) -> Refusal? {
    while true {
      switch admitLater(orAnswer: nil) {
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

  /// Blocks until the gate admits a write. Returns false if the caller has to ask again.
  private func waitForRoom() -> Bool {
    let answer = Guarded(RoomAnswer.refused)
    let isAnswered = DispatchSemaphore(value: 0)
    let entry = admitLater { received in
      answer.withLock { $0 = received }
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

  /// Queues `body` as soon as there is room, or calls `refuse` with the refusal. The call never blocks.
  func passWithRoom(
    orRefuse refuse: @escaping @Sendable (Refusal) -> Void, _ body: @escaping @Sendable () -> Void
  ) {
    let entry = admitLater { [self] answer in
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
      self.endWrite(isLater: true)
    }
  }

  /// Runs `body` on the calling thread after all earlier writes and before all later ones. Throws where that would never
  /// be.
  func passAlone(during operation: DALError.Operation, _ body: () -> Void) throws(DALError) {
    let circle = resource.waitUnlessCircular {
      MainQueue.leave { queue.sync(flags: .barrier) { resource.hold(body) } }
    }
    if let error = refusal(of: circle, during: operation) { throw error }
  }

  /// Calls `body` after all earlier writes. A stopped or closed gate calls it after every admitted write.
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

  /// The reason for which the gate refuses a write.
  struct Refusal {
    let error: DALError
    fileprivate let flushes: DispatchGroup?

    /// Blocks until the flushes are done. A thread that holds a resource returns at once, because a flush may
    /// wait for that resource.
    func waitForFlushes() {
      if !WaitResource.currentThreadHoldsAny { flushes?.wait() }
    }

    /// Calls `body` when the flushes are done.
    func afterFlushes(_ body: @escaping @Sendable () -> Void) {
      guard let flushes else { return body() }
      flushes.notify(queue: .global(qos: .userInitiated), execute: body)
    }
  }

  /// Admits a write whose caller waits, or returns the refusal.
  private func admit() -> Refusal? {
    state.withLock { state in
      if let refusal = state.refusal { return refusal }
      state.countAdmission()
      return nil
    }
  }

  private enum Entry {
    case entered, waiting
    case refused(Refusal)
    case full(limit: Int)
  }

  /// Admits a write whose caller does not wait. If there is no room, `answer` gets the gate's later answer.
  private func admitLater(orAnswer answer: (@Sendable (RoomAnswer) -> Void)?) -> Entry {
    state.withLock { state in
      if let refusal = state.refusal { return .refused(refusal) }
      if state.room.enter() {
        state.countAdmission()
        return .entered
      }
      guard let answer else { return .full(limit: state.room.limit) }
      state.room.waiting.append(answer)
      return .waiting
    }
  }

  private func endWrite(isLater: Bool = false) {
    let (waiting, admitted) = state.withLock { state in
      state.queued -= 1
      let admitted = isLater ? state.room.leave(isOpen: state.refusal == nil) : []
      for _ in admitted { state.countAdmission() }
      guard state.queued == 0 else { return ([@Sendable () -> Void](), admitted) }
      defer { state.afterLast = [] }
      return (state.afterLast, admitted)
    }
    for body in waiting { queue.async(flags: .barrier, execute: body) }
    for answer in admitted { answer(.admitted) }
  }

  /// Stops or closes the gate, and answers the writes that wait for room.
  private func refuseWaiting(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      return state.room.clear()
    }
    for answer in waiting { answer(.refused) }
  }
}

extension WriterGate.State {
  /// The reason for which the gate refuses writes; nil while it is open.
  fileprivate var refusal: WriterGate.Refusal? {
    if isClosed {
      return WriterGate.Refusal(error: DALError(.closed, during: .write), flushes: nil)
    }
    return stopping.map {
      WriterGate.Refusal(error: DALError(.stopping, during: .write), flushes: $0)
    }
  }

  fileprivate mutating func countAdmission() {
    queued += 1
    if queued > mostQueued { mostQueued = queued }
  }
}
