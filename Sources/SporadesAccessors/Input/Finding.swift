// SPDX-License-Identifier: MIT

/// A declaration that no accessors can be written for, with the way out.
package struct Finding: Sendable, Hashable {
  /// The name of the file, as it was given.
  package let file: String
  /// The line, counted from 1.
  package let line: Int
  /// The column in bytes, counted from 1.
  package let column: Int
  /// A sentence that says what is wrong.
  package let problem: String
  /// A sentence that says what to do.
  package let remedy: String
}

extension Finding: CustomStringConvertible {
  /// The finding in the form in which compilers write errors.
  package var description: String { "\(file):\(line):\(column): error: \(problem) \(remedy)" }
}
