// SPDX-License-Identifier: MIT

/// The server's binary form of decimals: groups of four digits behind a head of their number, the place of the first one, the
/// sign, and the digits behind the point.
enum NumericForm {
  private static let notANumber: [UInt16] = [0, 0, 0xC000, 0]

  /// The form of digits such as `-12.50`; nil for a text with anything else in it. What is not a number has a form, too.
  static func bytes(_ text: String) -> [UInt8]? {
    guard text != "NaN" else { return bigEndian(notANumber) }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first.map(Array.init), !whole.isEmpty,
      parts.allSatisfy({ $0.allSatisfy { 48...57 ~= $0 } })
    else { return nil }
    let fraction = parts.count == 2 ? Array(parts[1]) : []
    guard whole.count + fraction.count <= longest else { return nil }
    let zero = UInt8(ascii: "0")
    let before = [UInt8](repeating: zero, count: (4 - whole.count % 4) % 4)
    let behind = [UInt8](repeating: zero, count: (4 - fraction.count % 4) % 4)
    let digits = before + whole + fraction + behind
    var groups = stride(from: 0, to: digits.count, by: 4).map { place in
      digits[place..<place + 4].reduce(UInt16(0)) { $0 * 10 + UInt16($1 - zero) }
    }
    var weight = (before.count + whole.count) / 4 - 1
    let leading = groups.prefix { $0 == 0 }.count
    groups.removeFirst(leading)
    weight -= leading
    while groups.last == 0 { groups.removeLast() }
    if groups.isEmpty { weight = 0 }
    let sign: UInt16 = isNegative && !groups.isEmpty ? 0x4000 : 0
    let head = [
      UInt16(groups.count), UInt16(bitPattern: Int16(weight)), sign, UInt16(fraction.count),
    ]
    return bigEndian(head + groups)
  }

  /// The digits of a form; nil for bytes of another form, and for infinities.
  @unsafe
  static func text(_ cell: UnsafeRawBufferPointer) -> String? {
    guard cell.count >= 8, cell.count % 2 == 0 else { return nil }
    let words = stride(from: 0, to: cell.count, by: 2).map {
      UInt16(bigEndian: unsafe cell.loadUnaligned(fromByteOffset: $0, as: UInt16.self))
    }
    if words[2] == notANumber[2] { return "NaN" }
    let (groups, weight, scale) = (
      words.dropFirst(4), Int(Int16(bitPattern: words[1])), Int(words[3] & 0x3FFF)
    )
    guard [0, 0x4000].contains(words[2]), groups.count == Int(words[0]),
      groups.allSatisfy({ $0 < 10_000 }), weight < longest, -weight < longest, scale < longest * 4
    else { return nil }
    /// The four digits in front of a power of 10,000.
    func digits(_ power: Int) -> String {
      let place = weight - power
      let text = 0..<groups.count ~= place ? String(groups[4 + place]) : "0"
      return String(repeating: "0", count: 4 - text.utf8.count) + text
    }
    let whole = stride(from: max(weight, 0), through: 0, by: -1).map(digits).joined()
    let fraction = stride(from: -1, to: -1 - (scale + 3) / 4, by: -1).map(digits).joined()
    let shown = whole.drop { $0 == "0" }
    return (words[2] == 0x4000 ? "-" : "") + (shown.isEmpty ? "0" : shown)
      + (scale > 0 ? "." + fraction.prefix(scale) : "")
  }

  /// More digits than any decimal of Foundation has.
  private static let longest = 400

  private static func bigEndian(_ words: [UInt16]) -> [UInt8] {
    words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }
}
