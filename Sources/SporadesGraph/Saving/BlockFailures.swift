// SPDX-License-Identifier: MIT

/// Several things that failed in one block: none of them may be lost.
package struct BlockFailures: Error {
  package let first: any Error
  package let others: [any Error]

  /// What a block returned, unless it threw or something in it failed that could not throw. What it
  /// threw comes first.
  package static func check<Output>(
    _ outcome: Result<Output, any Error>, _ kept: [any Error]
  ) throws -> Output {
    switch outcome {
    case .success(let output):
      guard let first = kept.first else { return output }
      throw kept.count == 1 ? first : BlockFailures(first: first, others: Array(kept.dropFirst()))
    case .failure(let error):
      throw kept.isEmpty ? error : BlockFailures(first: error, others: kept)
    }
  }
}
