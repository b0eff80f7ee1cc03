// SPDX-License-Identifier: MIT

/// The code of a stage on objects that is still to run, around the inferred changes.
package struct StageCode: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It works on objects of the older version, before anything is checked.
  package static let before = StageCode(rawValue: 1)
  /// It works on objects of the newer version. What may be missing is checked after it.
  package static let after = StageCode(rawValue: 2)
}
