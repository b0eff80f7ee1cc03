// SPDX-License-Identifier: MIT

/// Ends the process because the program makes a mistake, and says which one on standard error.
///
/// A release build drops the sentence of `preconditionFailure`, and a server would end without a word.
@usableFromInline @inline(never)
package func trap(
  _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(sentence(), file: file, line: line)
}

/// Does so unless the condition holds.
@inlinable @inline(__always)
package func trap(
  unless condition: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if _fastPath(condition()) { return }
  trap(sentence(), file: file, line: line)
}
