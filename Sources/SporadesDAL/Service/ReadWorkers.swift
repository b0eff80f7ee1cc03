// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import SporadesChain
import SporadesModel

/// Runs the asynchronous reads of a service side by side, on threads of its own.
///
/// Rules:
/// 1. As many reads run as the machine has cores. The others wait in the order of their calls.
/// 2. A slow read delays no other: if none of the running reads ends for some milliseconds while others wait, one
///    more may run.
/// 3. A read that waits for a write or for the main context takes no place, because what it waits for may itself
///    wait for a read.
/// 4. A read that waits keeps its thread. The number of threads is limited, because the system gives a process few
///    hundred, and a write for which nobody waits needs one.
final class ReadWorkers: Sendable {
  typealias Read = @Sendable () -> Void

  fileprivate struct State {
    /// The reads that have not begun, by their numbers. A slice of an array would keep those that have ended, and
    /// what their blocks hold.
    var waiting: [Int: Read] = [:]
    /// The number of reads that were asked for.
    var asked = 0
    /// Queues that run no read now.
    var idle: [DispatchQueue] = []
    /// The threads that run reads.
    var threads: [Int] = []
    var working = 0
    /// The reads that wait for something else than their turn.
    var aside = 0
    /// The number of reads that have begun, and the number of the next one.
    var begun = 0
    var isWatched = false
    static let mostThreads = 128
  }
  private let state = Guarded(State())
  /// Nil for the number of processors, for which the system looks into several files.
  private let chosen: Int?
  private let most: Int
  private static let processors = ProcessInfo.processInfo.activeProcessorCount
  private var usual: Int { max(1, chosen ?? Self.processors) }
  /// The longest time that waiting reads wait for none to end.
  private static let patience = DispatchTimeInterval.milliseconds(5)

  init(usual: Int? = nil, most: Int = 64) {
    chosen = usual
    self.most = most
  }

  /// Whether the calling thread runs a read.
  var isRunningHere: Bool {
    let thread = ConcurrencyCheck.currentThread
    return state.withLock { $0.threads.contains(thread) }
  }

  /// Runs the read on a thread of the workers, now or when its turn comes.
  func run(_ read: @escaping Read) {
    let (queue, watches) = state.withLock { state -> (DispatchQueue?, Bool) in
      state.waiting[state.asked] = read
      state.asked += 1
      if state.working - state.aside < usual, let queue = state.start() { return (queue, false) }
      defer { state.isWatched = true }
      return (nil, !state.isWatched)
    }
    if let queue { work(on: queue) }
    if watches { watch(after: nil) }
  }

  /// Runs `body`, which may wait for a write or for the main context. If the calling thread runs a read, another
  /// one may run meanwhile.
  func standingAside<Output>(_ body: () -> Output) -> Output {
    guard isRunningHere else { return body() }
    let queue = state.withLock { state in
      state.aside += 1
      return state.waiting.isEmpty ? nil : state.start()
    }
    if let queue { work(on: queue) }
    defer { state.withLock { $0.aside -= 1 } }
    return body()
  }

  private func work(on queue: DispatchQueue) {
    queue.async { [self] in
      let thread = ConcurrencyCheck.currentThread
      state.withLock { $0.threads.append(thread) }
      while let read = state.withLock({ $0.next(thread, queue) }) { read() }
    }
  }

  /// Starts one more read whenever none has begun since the last look.
  private func watch(after begun: Int?) {
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + Self.patience) {
      [self] in
      let (seen, queue) = state.withLock { state -> (Int?, DispatchQueue?) in
        guard !state.waiting.isEmpty else {
          state.isWatched = false
          return (nil, nil)
        }
        let isStuck = state.begun == begun && state.working - state.aside < max(usual, most)
        return (state.begun, isStuck ? state.start() : nil)
      }
      if let queue { work(on: queue) }
      if let seen { watch(after: seen) }
    }
  }
}

extension ReadWorkers.State {
  /// The queue of one more worker; nil if there are as many as there may be.
  fileprivate mutating func start() -> DispatchQueue? {
    guard working < Self.mostThreads else { return nil }
    working += 1
    return idle.popLast() ?? DispatchQueue(label: "sporades.reads", qos: .userInitiated)
  }

  /// The next read of a worker. A worker without one rests.
  fileprivate mutating func next(_ thread: Int, _ queue: DispatchQueue) -> ReadWorkers.Read? {
    if let read = waiting.removeValue(forKey: begun) {
      begun += 1
      return read
    }
    working -= 1
    idle.append(queue)
    if let place = threads.firstIndex(of: thread) { threads.remove(at: place) }
    return nil
  }
}
