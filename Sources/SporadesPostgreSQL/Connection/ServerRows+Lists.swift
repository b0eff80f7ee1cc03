// SPDX-License-Identifier: MIT

extension ServerRows {
  /// The texts of a list, in which a text can be null; nil for a null, and for a value that is no such list.
  package func texts(_ row: Int, _ column: Int) -> [String?]? {
    guard let bytes = blob(row, column) else { return nil }
    var rest = bytes[...]
    func word() -> Int32? {
      guard rest.count >= 4 else { return nil }
      defer { rest.removeFirst(4) }
      return Int32(bitPattern: rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
    // Dimensions, whether there are nulls, the type, the length, the lower bound, and each element behind its length.
    guard let dimensions = word(), word() != nil, word() != nil else { return nil }
    guard dimensions == 1 else { return dimensions == 0 ? [] : nil }
    guard let count = word(), word() != nil else { return nil }
    var texts: [String?] = []
    for _ in 0..<max(0, count) {
      guard let length = word(), length <= rest.count else { return nil }
      guard length >= 0 else {
        texts.append(nil)
        continue
      }
      texts.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
      rest.removeFirst(Int(length))
    }
    return texts
  }
}
