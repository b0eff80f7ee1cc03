// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel

/// A write whose block is running, and what waits for its fate.
final class OpenWrite: @unchecked Sendable {
  // @unchecked: only the thread the write runs on touches it.
  /// Nil before the block begins and once it has ended.
  var context: ManagedObjectContext?
  private var settlers: [(Result<SaveNumber?, DALError>) -> Void] = []

  /// Calls `body` with what becomes of the write that holds this one and all around it.
  func whenSettled(_ body: @escaping (Result<SaveNumber?, DALError>) -> Void) {
    settlers.append(body)
  }

  /// The block has ended: its fate is known, or is that of the write around it.
  func end(with result: Result<SaveNumber?, DALError>, within outer: OpenWrite?) {
    if case .success = result, let outer {
      outer.settlers += settlers
    } else {
      for settler in settlers { settler(result) }
    }
    settlers = []
  }
}

/// The writes of a service that are running, by the thread they run on.
final class OpenWrites: Sendable {
  /// As many as threads write, which is few enough to look through.
  private let writes = Guarded<[(thread: UInt, write: OpenWrite)]>([])

  /// The innermost write of the calling thread.
  var current: OpenWrite? {
    let thread = ConcurrencyCheck.currentThread
    return writes.withLock { writes in writes.last { $0.thread == thread }?.write }
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
