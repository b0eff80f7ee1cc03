// SPDX-License-Identifier: MIT
package import FoundationEssentials

/// Bytes outside a row, in a file or in memory beside the page. The row holds a reference to them.
///
/// A copy of the row copies the reference. The bytes of a large value never change.
package protocol LargeValue: AnyObject, Sendable {
  /// Reads the bytes, and throws if the file is gone or holds others.
  func read() throws -> Data
  /// Counts the bytes.
  func count() throws -> Int
  /// The bytes lie in the memory of this process, so that reading them cannot fail.
  var isInMemory: Bool { get }
  /// The two values are known to be equal without reading them.
  func isKnownEqual(to other: any LargeValue) -> Bool
}

extension LargeValue {
  package func isKnownEqual(to other: any LargeValue) -> Bool { self === other }

  /// The two values have the same bytes.
  ///
  /// A value that cannot be read differs from every other value. At worst a store then writes a value
  /// that it already has.
  package func isEqual(to other: any LargeValue) -> Bool {
    if isKnownEqual(to: other) || other.isKnownEqual(to: self) { return true }
    do {
      return try count() == other.count() && read() == other.read()
    } catch {
      return false
    }
  }
}

/// A large value that lies in memory, because no store has written it yet.
package final class LargeValueInMemory: LargeValue {
  private let data: Data

  package init(_ data: Data) { self.data = data }

  package func read() -> Data { data }
  package func count() -> Int { data.count }
  package var isInMemory: Bool { true }
}

/// The form of a ``RowLayout/Kind/large`` slot in a page. A mark comes first. After it follow the bytes
/// themselves, or the index of a ``LargeValue`` in the page's list.
enum LargeForm {
  static let inline: UInt8 = 1
  static let listed: UInt8 = 2

  /// The largest number of bytes that a row holds itself. Core Data has the same limit.
  static let threshold = 100_000

  static func inline(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var form: [UInt8] = []
    form.reserveCapacity(bytes.count + 1)
    form.append(inline)
    unsafe form.append(contentsOf: bytes)
    return form
  }

  static func listed(_ index: Int) -> [UInt8] {
    guard let number = UInt32(exactly: index) else {
      preconditionFailure("A page refers to more than four thousand million large values.")
    }
    return [listed] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// Reads the index in the list; nil if the form holds the bytes themselves.
  static func listIndex(_ form: UnsafeRawBufferPointer) -> Int? {
    guard form.count == 5, unsafe form[0] == listed else { return nil }
    return Int(unsafe UInt32(littleEndian: form.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
  }
}
