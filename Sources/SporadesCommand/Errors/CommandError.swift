// SPDX-License-Identifier: MIT

/// A sentence for the person at the keyboard, and the code with which the process ends.
struct CommandError: Error, CustomStringConvertible {
  let code: ExitCode
  let description: String

  init(_ code: ExitCode, _ description: String) {
    self.code = code
    self.description = description
  }

  /// A mistake in the words of the command line.
  static func asked(_ description: String) -> CommandError {
    CommandError(.askedWrongly, description)
  }

  /// Something that the program was asked rightly and could not do.
  static func failed(_ description: String) -> CommandError {
    CommandError(.couldNot, description)
  }
}
