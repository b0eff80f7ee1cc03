// SPDX-License-Identifier: MIT

/// The bounds of a model file, so that a hostile file fails early.
enum ModelFileLimit {
  /// The largest number of bytes.
  static let bytes = 16 << 20
  /// The largest number of nested elements. Real files reach four.
  static let depth = 32
  /// The largest number of elements.
  static let elements = 200_000
  /// The largest number of elements of composites, counted once per use. Definitions that use one another
  /// could otherwise multiply without bound.
  static let compositeElements = 10_000
}
