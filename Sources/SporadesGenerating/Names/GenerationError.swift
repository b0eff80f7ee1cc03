// SPDX-License-Identifier: MIT

/// The things that a generator cannot do, in sentences.
package struct GenerationError: Error, Hashable, CustomStringConvertible {
  package let sentences: [String]
  /// The caller's own words did not fit the model.
  package let isMistake: Bool

  package init(_ sentences: [String], isMistake: Bool = false) {
    (self.sentences, self.isMistake) = (sentences, isMistake)
  }

  package var description: String { sentences.joined(separator: "\n") }
}
