// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import SporadesChain
import SporadesModel

/// Runs the asynchronous reads of a service side by side.
///
/// Rules:
/// 1. As many reads run as the machine has cores. The others wait in the order of their calls.
/// 2. A slow read delays no other: if none of the running reads ends for some milliseconds while others wait, one
///    more may run.
/// 3. A read that waits for a write or for the main context takes no place, because what it waits for may itself
///    wait for a read.
/// 4. A read that waits keeps its thread. The number of threads is limited, because the system gives a process few
///    hundred, and a write for which nobody waits needs one.
/// 5. Reads have threads of their own, because one that takes long would keep the tasks of the program waiting. While all
///    reads are quick, they run on the threads of the tasks instead, as to wake another thread takes as long as a quick
///    read. Where all of these threads wait, the system adds another one.
package final class ReadWorkers: Sendable {
  package typealias Read = @Sendable () -> Void

  fileprivate struct State {
    /// The reads that have not begun, by their numbers. A slice of an array would keep those that have ended, and
    /// what their blocks hold.
    var waiting: [Int: Read] = [:]
    /// The number of reads that were asked for.
    var asked = 0
    /// Workers that run no read now: those on threads of their own, and those on the threads of tasks.
    var idle: (own: [Worker], shared: [Worker]) = ([], [])
    /// The reads since the last one that was slow or that waited.
    var quickReads = 0
    /// The threads that run reads.
    var threads: [Int] = []
    var working = 0
    /// The reads that wait for something else than their turn.
    var aside = 0
    /// The number of reads that have begun, and the number of the next one.
    var begun = 0
    var isWatched = false
    static let mostThreads = 128
    static let enoughQuickReads = 64
  }

  fileprivate struct Worker {
    let queue: DispatchQueue
    let isShared: Bool
  }

  private let state = Guarded(State())
  /// Nil for the number of processors, for which the system looks into several files.
  private let chosen: Int?
  private let most: Int
  private static let processors = ProcessInfo.processInfo.activeProcessorCount
  private var usual: Int { max(1, chosen ?? Self.processors) }
  /// The longest time that waiting reads wait for none to end, in milliseconds. A read that takes longer is slow.
  private static let patience = 5

  init(usual: Int? = nil, most: Int = 64) {
    chosen = usual
    self.most = most
  }

  /// Whether tasks run on the threads of the system's queues.
  fileprivate static var canShareThreads: Bool {
    #if canImport(Darwin)
      false
    #else
      true
    #endif
  }

  /// Whether the calling thread runs a read.
  var isRunningHere: Bool {
    let thread = ConcurrencyCheck.currentThread
    return state.withLock { $0.threads.contains(thread) }
  }

  /// Runs the read on a thread of the workers, now or when its turn comes.
  package func run(_ read: @escaping Read) {
    let (worker, watches) = state.withLock { state -> (Worker?, Bool) in
      state.waiting[state.asked] = read
      state.asked += 1
      if state.working - state.aside < usual, let worker = state.start() { return (worker, false) }
      defer { state.isWatched = true }
      return (nil, !state.isWatched)
    }
    if let worker { work(worker) }
    if watches { watch(after: nil) }
  }

  /// Runs `body`, which may wait for a write or for the main context. If the calling thread runs a read, another
  /// one may run meanwhile.
  func standingAside<Output>(_ body: () -> Output) -> Output {
    guard isRunningHere else { return body() }
    let worker = state.withLock { state in
      state.aside += 1
      state.quickReads = 0
      return state.waiting.isEmpty ? nil : state.start()
    }
    if let worker { work(worker) }
    defer { state.withLock { $0.aside -= 1 } }
    return body()
  }

  private func work(_ worker: Worker) {
    worker.queue.async { [self] in
      let thread = ConcurrencyCheck.currentThread
      let clock = ContinuousClock()
      state.withLock { $0.threads.append(thread) }
      var wasQuick: Bool?
      while let read = state.withLock({ $0.next(worker, wasQuick) }) {
        let start = clock.now
        read()
        wasQuick = clock.now - start < .milliseconds(Self.patience)
      }
      if let other = state.withLock({ $0.end(worker, thread) }) { work(other) }
    }
  }

  /// Starts one more read whenever none has begun since the last look.
  private func watch(after begun: Int?) {
    let end = DispatchTime.now() + .milliseconds(Self.patience)
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: end) { [self] in
      let (seen, worker) = state.withLock { state -> (Int?, Worker?) in
        guard !state.waiting.isEmpty else {
          state.isWatched = false
          return (nil, nil)
        }
        let isStuck = state.begun == begun && state.working - state.aside < max(usual, most)
        if isStuck { state.quickReads = 0 }
        return (state.begun, isStuck ? state.start() : nil)
      }
      if let worker { work(worker) }
      if let seen { watch(after: seen) }
    }
  }
}

extension ReadWorkers.State {
  /// One more worker; nil if there are as many as there may be.
  fileprivate mutating func start() -> ReadWorkers.Worker? {
    guard working < Self.mostThreads else { return nil }
    working += 1
    guard ReadWorkers.canShareThreads, quickReads >= Self.enoughQuickReads else {
      return idle.own.popLast()
        ?? ReadWorkers.Worker(
          queue: DispatchQueue(label: "sporades.reads", qos: .userInitiated), isShared: false)
    }
    return idle.shared.popLast()
      ?? ReadWorkers.Worker(
        queue: DispatchQueue(label: "sporades.reads.quick", target: .global()), isShared: true)
  }

  /// The next read of a worker whose last one was quick or not; nil if the worker shall rest.
  fileprivate mutating func next(
    _ worker: ReadWorkers.Worker, _ wasQuick: Bool?
  ) -> ReadWorkers.Read? {
    if let wasQuick { quickReads = wasQuick ? quickReads + 1 : 0 }
    guard !worker.isShared || quickReads >= Self.enoughQuickReads,
      let read = waiting.removeValue(forKey: begun)
    else { return nil }
    begun += 1
    return read
  }

  /// Lets a worker rest. Returns the one that takes its place, if reads wait.
  fileprivate mutating func end(
    _ worker: ReadWorkers.Worker, _ thread: Int
  ) -> ReadWorkers.Worker? {
    working -= 1
    if worker.isShared { idle.shared.append(worker) } else { idle.own.append(worker) }
    if let place = threads.firstIndex(of: thread) { threads.remove(at: place) }
    return waiting.isEmpty ? nil : start()
  }
}
