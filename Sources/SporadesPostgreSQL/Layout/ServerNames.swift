// SPDX-License-Identifier: MIT

/// The names of tables and columns, made of those of a model as administrators write them: `userID` → `user_id`.
package enum ServerNames {
  /// The name in small letters, with underscores between its words.
  package static func folded(_ name: String) -> String {
    let signs = Array(name)
    var folded = ""
    for (place, sign) in signs.enumerated() {
      guard sign != "." else {
        folded += "_"
        continue
      }
      if sign.isUppercase, place > 0, signs[place - 1] != "_", signs[place - 1] != "." {
        let follows = signs[place - 1]
        let begins = place + 1 < signs.count && signs[place + 1].isLowercase
        if !follows.isUppercase || begins { folded += "_" }
      }
      folded += sign.lowercased()
    }
    return folded
  }

  /// The largest number of bytes in a name. PostgreSQL cuts a longer one.
  static let longest = 63

  /// The name, or its beginning and a number made of all of it, which is the same each time.
  package static func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    let end = "_" + String(repeating: "0", count: 8 - digits.count) + digits
    var beginning = name
    while beginning.utf8.count > longest - end.utf8.count { beginning.removeLast() }
    return beginning + end
  }
}
