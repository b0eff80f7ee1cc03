// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A format as programs write it, with what it says and answers.
struct FormatCase: CustomTestStringConvertible {
  let format: String
  let arguments: [Any?]
  /// The predicate's own text.
  let text: String
  /// The answer about ``Person/ann``.
  let answer: Bool
  var testDescription: String { format }

  init(_ format: String, _ arguments: [Any?] = [], _ text: String, _ answer: Bool) {
    self.format = format
    self.arguments = arguments
    self.text = text
    self.answer = answer
  }
}
