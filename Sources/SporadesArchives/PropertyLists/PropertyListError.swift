// SPDX-License-Identifier: MIT

/// The reason why bytes are no property list, or no archive.
package struct PropertyListError: Error, Hashable, Sendable {
  /// The end of a sentence, such as "an object goes beyond its end".
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
