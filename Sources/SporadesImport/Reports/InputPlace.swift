// SPDX-License-Identifier: MIT

/// A place in an input, as editors count it.
public struct InputPlace: Hashable, Sendable {
  /// The number of the line, from 1.
  public let line: Int
  /// The number of the byte within its line, from 1.
  public let column: Int
  /// The number of bytes before the place.
  public let byteOffset: Int

  /// Names a place in an input.
  public init(line: Int, column: Int, byteOffset: Int) {
    self.line = line
    self.column = column
    self.byteOffset = byteOffset
  }
}

extension InputPlace: CustomStringConvertible {
  public var description: String { "line \(line), column \(column)" }
}
