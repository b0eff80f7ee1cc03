// SPDX-License-Identifier: MIT

/// Several failures of one block.
package struct BlockFailures: Error {
  package let first: any Error
  package let others: [any Error]

  /// Returns the output of a block, or throws its failures. The error that the block threw comes
  /// before the kept failures of accesses that can not throw.
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
