// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes a line with one system call, because the process may end before it writes out a buffer.
package func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    // Ignored, because there is no other place for a message.
    unsafe _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}

/// A hint for the author of the program, which the process prints once.
package final class Hint: Sendable {
  private let isGiven = Guarded(false)
  private let text: String

  package init(_ text: String) { self.text = text }

  /// Prints the hint. `subject` stands in front of the text, where it differs each time.
  package func give(about subject: @autoclosure () -> String = "") {
    let isFirst = isGiven.withLock { given in
      defer { given = true }
      return !given
    }
    if isFirst { writeToStandardError("Sporades: \(subject())\(text)\n") }
  }
}
