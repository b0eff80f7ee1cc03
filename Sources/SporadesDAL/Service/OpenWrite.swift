// SPDX-License-Identifier: MIT
import SporadesGraph

/// A write whose block is running, and what waits for its fate.
final class OpenWrite: @unchecked Sendable {
  // @unchecked: only the thread inside the writer gate touches it.
  var context: ManagedObjectContext?
  private var settlers: [(Result<SaveNumber?, DALError>) -> Void] = []

  /// Calls `body` with what becomes of the write that holds this one and all around it.
  func whenSettled(_ body: @escaping (Result<SaveNumber?, DALError>) -> Void) {
    settlers.append(body)
  }

  /// The block has ended: its fate is known, or is that of the write around it.
  func end(with result: Result<SaveNumber?, DALError>, within outer: OpenWrite?) {
    context = nil
    if case .success = result, let outer {
      outer.settlers += settlers
    } else {
      for settler in settlers { settler(result) }
    }
    settlers = []
  }
}
