// SPDX-License-Identifier: MIT
/// The answer of a block that another function runs.
///
/// The function sees a block without an answer, so that it is compiled once, and not anew for the type of each answer.
@usableFromInline
package struct Answer<Output> {
  @usableFromInline var output: Output?

  @inlinable @inline(__always)
  package init() {}

  /// Takes the answer of the last call of the block.
  @inlinable @inline(__always)
  package mutating func take(_ output: consuming Output) { self.output = output }

  /// The answer of a function that has not thrown, so that it has run the block.
  @inlinable @inline(__always)
  package consuming func get() -> Output {
    guard let output else { preconditionFailure("A block was not run, and no error says why.") }
    return output
  }
}
