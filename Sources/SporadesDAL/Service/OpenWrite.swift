// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel

/// A running write, and the blocks that wait for its end.
final class OpenWrite: @unchecked Sendable {
  // @unchecked: only the thread of the write uses it.
  /// The context of the running block; nil before and after the block.
  private(set) var context: ManagedObjectContext?
  /// The context from the beginning of the block on.
  private var written: ManagedObjectContext?
  private var waiting: [(Result<SaveNumber?, DALError>) -> Void] = []

  /// The store has accepted the changes, so a hook that runs now cannot stop the write.
  var isAccepted: Bool { written?.isAccepted ?? false }

  /// Runs the block of the write.
  func run<Output>(
    in context: ManagedObjectContext, _ block: (ManagedObjectContext) throws -> Output
  ) rethrows -> Output {
    self.context = context
    written = context
    defer { self.context = nil }
    return try block(context)
  }

  /// Calls `body` with the result of the outermost write, or of the first write around it that fails.
  func whenEnded(_ body: @escaping (Result<SaveNumber?, DALError>) -> Void) {
    waiting.append(body)
  }

  /// Ends the write: calls the waiting blocks, or hands them to the outer write.
  func end(with result: Result<SaveNumber?, DALError>, within outer: OpenWrite?) {
    if case .success = result, let outer {
      outer.waiting += waiting
    } else {
      for body in waiting { body(result) }
    }
    waiting = []
  }
}

/// The running writes of a service, with their threads.
final class OpenWrites: Sendable {
  /// A list, because few threads write at once.
  private let writes = Guarded<[(thread: Int, write: OpenWrite)]>([])

  /// The innermost write of the calling thread.
  var current: OpenWrite? {
    let thread = ConcurrencyCheck.currentThread
    return writes.withLock { writes in writes.last { $0.thread == thread }?.write }
  }

  /// The outermost write of the calling thread.
  var outermost: OpenWrite? {
    let thread = ConcurrencyCheck.currentThread
    return writes.withLock { writes in writes.first { $0.thread == thread }?.write }
  }

  /// Runs `body` as the innermost write of the calling thread.
  func enter<Output>(_ write: OpenWrite, _ body: () -> Output) -> Output {
    writes.withLock { $0.append((ConcurrencyCheck.currentThread, write)) }
    defer {
      writes.withLock { writes in
        if let place = writes.lastIndex(where: { $0.write === write }) { writes.remove(at: place) }
      }
    }
    return body()
  }
}
