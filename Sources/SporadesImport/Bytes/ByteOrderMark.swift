// SPDX-License-Identifier: MIT

/// The encoding that the first bytes of an input tell.
enum ByteOrderMark {
  /// The number of bytes of a UTF-8 mark, which readers pass over; 0 if there is none.
  ///
  /// UTF-16 and UTF-32 are refused by name. Without a mark, zeros beside the first byte give them away, because
  /// neither JSON nor CSV may have zeros there.
  static func length(_ bytes: ArraySlice<UInt8>) throws(ImportError) -> Int {
    let first = Array(bytes.prefix(4))
    if first.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
    if first.starts(with: [0xFF, 0xFE, 0, 0]) || first.starts(with: [0, 0, 0xFE, 0xFF]) {
      throw refusal("UTF-32")
    }
    if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
      throw refusal("UTF-16")
    }
    guard first.count == 4, first != [0, 0, 0, 0] else { return 0 }
    if first[1] == 0, first[2] == 0, first[3] == 0 { throw refusal("UTF-32") }
    if first[0] == 0, first[1] == 0, first[2] == 0 { throw refusal("UTF-32") }
    if first[0] == 0, first[2] == 0 { throw refusal("UTF-16") }
    if first[1] == 0, first[3] == 0 { throw refusal("UTF-16") }
    return 0
  }

  private static func refusal(_ name: String) -> ImportError {
    ImportError(
      .encoding, at: InputPlace(line: 1, column: 1, byteOffset: 0),
      "The input is encoded as \(name); convert it to UTF-8, for example with iconv.")
  }
}

extension ByteWindow {
  /// Reads the first bytes, and passes over a mark.
  mutating func passMark() throws(ImportError) {
    while count < 4, !isLast { try fill() }
    take(to: start + (try ByteOrderMark.length(bytes[start..<end])))
  }
}
