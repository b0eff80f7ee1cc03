// SPDX-License-Identifier: MIT

/// Reads raw DEFLATE data (RFC 1951), in which stores keep their models. For tests: what is malformed
/// gives nil.
struct Inflation {
  private let bytes: [UInt8]
  private var place = 0
  private var bit = 0
  private var output: [UInt8] = []

  static func bytes(of data: [UInt8]) -> [UInt8]? {
    var inflation = Inflation(bytes: data)
    while true {
      guard let isLast = inflation.number(1), let kind = inflation.number(2),
        inflation.block(kind)
      else { return nil }
      if isLast == 1 { return inflation.output }
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func block(_ kind: Int) -> Bool {
    switch kind {
    case 0: return stored()
    case 1: return compressed(.init(Self.fixedLengths), .init([Int](repeating: 5, count: 30)))
    case 2: return dynamic()
    default: return false
    }
  }

  private mutating func number(_ width: Int) -> Int? {
    var value = 0
    for shift in 0..<width {
      guard place < bytes.count else { return nil }
      value |= Int(bytes[place] >> UInt8(bit) & 1) << shift
      bit += 1
      if bit == 8 { (bit, place) = (0, place + 1) }
    }
    return value
  }

  private mutating func stored() -> Bool {
    if bit > 0 { (bit, place) = (0, place + 1) }
    guard let count = number(16), number(16) != nil, place + count <= bytes.count else {
      return false
    }
    output += bytes[place..<place + count]
    place += count
    return true
  }

  // MARK: - Codes

  /// Huffman codes by length and value.
  private struct Codes {
    private var symbols: [Int: Int] = [:]

    init(_ lengths: [Int]) {
      var code = 0
      for length in 1...15 {
        for (symbol, own) in lengths.enumerated() where own == length {
          symbols[length << 16 | code] = symbol
          code += 1
        }
        code <<= 1
      }
    }

    func symbol(_ length: Int, _ code: Int) -> Int? { symbols[length << 16 | code] }
  }

  private static let fixedLengths =
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
    + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8)

  private mutating func symbol(_ codes: Codes) -> Int? {
    var code = 0
    for length in 1...15 {
      guard let next = number(1) else { return nil }
      code = code << 1 | next
      if let symbol = codes.symbol(length, code) { return symbol }
    }
    return nil
  }

  private mutating func dynamic() -> Bool {
    guard let literals = number(5), let distances = number(5), let codes = number(4) else {
      return false
    }
    var lengths = [Int](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for symbol in order.prefix(codes + 4) { lengths[symbol] = number(3) ?? 0 }
    let outer = Codes(lengths)
    var all: [Int] = []
    while all.count < literals + distances + 258 {
      guard let symbol = symbol(outer) else { return false }
      switch symbol {
      case 16: all += [Int](repeating: all.last ?? 0, count: 3 + (number(2) ?? 0))
      case 17: all += [Int](repeating: 0, count: 3 + (number(3) ?? 0))
      case 18: all += [Int](repeating: 0, count: 11 + (number(7) ?? 0))
      default: all.append(symbol)
      }
    }
    return compressed(
      Codes(Array(all[..<(literals + 257)])), Codes(Array(all[(literals + 257)...])))
  }

  private mutating func compressed(_ literals: Codes, _ distances: Codes) -> Bool {
    while let symbol = symbol(literals) {
      if symbol == 256 { return true }
      guard symbol > 256 else {
        output.append(UInt8(symbol))
        continue
      }
      guard let length = length(symbol - 257), let code = self.symbol(distances),
        let distance = distance(code), distance <= output.count
      else { return false }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
    return false
  }

  private mutating func length(_ code: Int) -> Int? {
    if code == 28 { return 258 }
    guard code >= 8 else { return code + 3 }
    let extra = code / 4 - 1
    return number(extra).map { 3 + (4 + code % 4) << extra + $0 }
  }

  private mutating func distance(_ code: Int) -> Int? {
    guard code >= 4 else { return code + 1 }
    let extra = code / 2 - 1
    return number(extra).map { 1 + (2 + code % 2) << extra + $0 }
  }
}
