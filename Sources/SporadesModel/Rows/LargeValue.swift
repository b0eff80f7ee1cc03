// SPDX-License-Identifier: MIT
package import FoundationEssentials

/// Bytes that a row refers to and does not hold: they lie in a file, or in memory beside the page.
///
/// Whoever copies a row copies the reference. The bytes of one large value never change.
package protocol LargeValue: AnyObject, Sendable {
  /// The bytes; throws where they can not be had, and never returns others.
  func read() throws -> Data
  /// How many bytes there are.
  func count() throws -> Int
  /// The bytes lie in this process's memory, so that reading them can not fail.
  var isInMemory: Bool { get }
  /// The other is known to stand for the same bytes, without a look at them.
  func isKnown(as other: any LargeValue) -> Bool
}

extension LargeValue {
  package func isKnown(as other: any LargeValue) -> Bool { self === other }

  /// Whether both are the same bytes. What can not be read is like nothing else: a value that is
  /// written once too often harms nobody.
  package func isSame(as other: any LargeValue) -> Bool {
    if isKnown(as: other) || other.isKnown(as: self) { return true }
    do {
      return try count() == other.count() && read() == other.read()
    } catch {
      return false
    }
  }
}

/// A large value that somebody set and no store has yet.
package final class HeldValue: LargeValue {
  private let data: Data

  package init(_ data: Data) { self.data = data }

  package func read() -> Data { data }
  package func count() -> Int { data.count }
  package var isInMemory: Bool { true }
}

/// How a slot of the kind ``RowLayout/Kind/large`` lies in a page: a mark, and behind it the bytes
/// themselves, or the place of a ``LargeValue`` in the page's list.
enum LargeForm {
  static let inline: UInt8 = 1
  static let listed: UInt8 = 2

  /// A row holds no more bytes of such a value itself; Core Data draws the line there too.
  static let threshold = 100_000

  static func inline(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var form: [UInt8] = []
    form.reserveCapacity(bytes.count + 1)
    form.append(inline)
    unsafe form.append(contentsOf: bytes)
    return form
  }

  static func listed(_ place: Int) -> [UInt8] {
    guard let number = UInt32(exactly: place) else {
      preconditionFailure("A page refers to more than four thousand million large values.")
    }
    return [listed] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// The place in the list; nil where the bytes themselves are there.
  static func place(_ form: UnsafeRawBufferPointer) -> Int? {
    guard form.count == 5, unsafe form[0] == listed else { return nil }
    return Int(unsafe UInt32(littleEndian: form.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
  }
}
