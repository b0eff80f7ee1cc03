// SPDX-License-Identifier: MIT

// Nodes as values, for hooks and messages.
extension RecordBatch {
  /// The record that begins at a node.
  func record(at index: Int) -> ImportRecord {
    guard case .record(let record) = value(at: index) else { return ImportRecord([]) }
    return record
  }

  /// The value that begins at a node.
  func value(at index: Int) -> ImportValue {
    let node = nodes[index]
    switch node.kind {
    case .null, .blank: return .null
    case .isFalse: return .boolean(false)
    case .isTrue: return .boolean(true)
    case .integer, .real: return .number(text(of: node))
    case .text, .escaped, .doubled: return .text(text(of: node))
    case .given: return values[Int(node.start)]
    case .array: return .array(elements(of: index).map { value(at: $0) })
    case .row:
      return .record(
        ImportRecord(zip(columns, elements(of: index)).map { ($0, value(at: $1)) }))
    case .object:
      return .record(
        ImportRecord(members(of: index).map { (text(of: nodes[$0]), value(at: $1)) }))
    }
  }

  /// The indices of the elements of an array or a row.
  func elements(of index: Int) -> [Int] {
    var all: [Int] = []
    var place = index + 1
    while place < nodes[index].next {
      all.append(place)
      place = Int(nodes[place].next)
    }
    return all
  }

  /// The indices of the keys and values of an object.
  func members(of index: Int) -> [(key: Int, value: Int)] {
    var all: [(key: Int, value: Int)] = []
    var place = index + 1
    while place < nodes[index].next {
      all.append((place, place + 1))
      place = Int(nodes[place + 1].next)
    }
    return all
  }

  /// The characters of a text or a number.
  func text(of node: RecordNode) -> String {
    let range = Int(node.start)..<Int(node.start) + Int(node.count)
    switch node.kind {
    case .escaped: return String(decoding: JSONEscapes.decode(bytes[range]), as: UTF8.self)
    case .doubled: return String(decoding: undoubled(bytes[range]), as: UTF8.self)
    default: return String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// The index of a value's first byte, which is the quote of a text in quotes.
  func start(of index: Int) -> Int {
    let node = nodes[index]
    let start = Int(node.start)
    switch node.kind {
    case .text, .escaped, .doubled:
      return start > 0 && bytes[start - 1] == quote ? start - 1 : start
    default: return start
    }
  }

  /// The bytes of a text, decoded.
  func content(of node: RecordNode) -> [UInt8] {
    let range = Int(node.start)..<Int(node.start) + Int(node.count)
    return switch node.kind {
    case .escaped: JSONEscapes.decode(bytes[range])
    case .doubled: undoubled(bytes[range])
    default: Array(bytes[range])
    }
  }

  /// The bytes with one quote for two.
  private func undoubled(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(bytes.count)
    var isSecond = false
    for byte in bytes {
      let isQuote = byte == quote
      if isQuote && isSecond {
        isSecond = false
        continue
      }
      isSecond = isQuote
      all.append(byte)
    }
    return all
  }
}
