// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The name of the file that a large value lies in: an upper-case UUID, as Core Data writes it, and
/// nothing else, so that no row leads to another file.
struct ValueName: Hashable, Sendable, CustomStringConvertible {
  private let uuid: UUID

  /// A name that no file has.
  init() { uuid = UUID() }

  init?(_ text: String) {
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text), uuid.uuidString == text else {
      return nil
    }
    self.uuid = uuid
  }

  /// The name in a column: a mark of two, the name, a zero.
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

  /// Whether bytes of a column say that the value lies in a file.
  static func isMarked(_ stored: UnsafeRawBufferPointer) -> Bool { unsafe stored.first == 2 }

  var stored: [UInt8] { [2] + Array(description.utf8) + [0] }

  var description: String { uuid.uuidString }
}
