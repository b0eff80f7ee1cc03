// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The name of a large value's file: an upper-case UUID, as Core Data writes it. Other names are refused, so
/// that no row leads to a foreign file.
struct ValueName: Hashable, Sendable, CustomStringConvertible {
  private let uuid: UUID

  /// A new name.
  init() { uuid = UUID() }

  init?(_ text: String) {
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text), uuid.uuidString == text else {
      return nil
    }
    self.uuid = uuid
  }

  /// The name as a column stores it: the byte 2, the name, a zero byte.
  init?(stored: UnsafeRawBufferPointer) {
    guard unsafe Self.isMarked(stored), stored.count == Self.storedCount,
      unsafe stored[Self.storedCount - 1] == 0
    else { return nil }
    self.init(unsafe String(decoding: stored[1..<Self.storedCount - 1], as: UTF8.self))
  }

  init?(stored: [UInt8]) {
    guard let name = unsafe stored.withUnsafeBytes({ unsafe ValueName(stored: $0) }) else {
      return nil
    }
    self = name
  }

  static let storedCount = 38

  /// Whether the bytes of a column mean that the value is in a file.
  static func isMarked(_ stored: UnsafeRawBufferPointer) -> Bool { unsafe stored.first == 2 }

  var stored: [UInt8] { [2] + Array(description.utf8) + [0] }

  var description: String { uuid.uuidString }
}
