// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// A place between two objects in the order of a request, behind which the next page begins.
///
/// A cursor holds the values by which the last object was sorted, and its key. It stays valid when
/// objects are inserted and deleted, and the next page costs the same wherever it lies. As text it
/// fits into a URL. A program may take it from a stranger: a cursor of another order is refused, and
/// one that somebody changed finds another page of the same request, and no other objects.
public struct PageCursor: Hashable, Sendable {
  /// Tells requests with other entities or orders apart.
  let order: UInt64
  /// One value for each sort term.
  let values: [Value]
  /// The primary key of the last object.
  let key: Int64

  /// The mark of an order.
  static func mark(ofOrder terms: [SortTerm], of entity: String) -> UInt64 {
    // FNV-1a, which gives the same number in every process.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    let texts = terms.map { term in
      "\(term.spelling):\(term.ascending):\(term.options.rawValue):\(term.nilsAreLast)"
    }
    for byte in "\(entity),\(texts.joined(separator: ","))".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return hash
  }
}

/// The text of a cursor: letters, digits, `-` and `_`.
extension PageCursor: LosslessStringConvertible, Codable {
  public var description: String {
    var writer = CursorWriter()
    writer.append(order)
    writer.append(UInt64(bitPattern: key))
    for value in values { writer.append(value) }
    let text = Data(writer.bytes).base64EncodedString().prefix { $0 != "=" }
    return String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// Reads a cursor from its text. Nil if the text is none.
  public init?(_ description: String) {
    let padding = String(repeating: "=", count: (4 - description.utf8.count % 4) % 4)
    let text = String(description.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + padding
    guard let data = Data(base64Encoded: text) else { return nil }
    var reader = CursorReader(bytes: [UInt8](data)[...])
    guard let order = reader.number(), let key = reader.number() else { return nil }
    var values: [Value] = []
    while !reader.bytes.isEmpty {
      guard let value = reader.value() else { return nil }
      values.append(value)
    }
    self.init(order: order, values: values, key: Int64(bitPattern: key))
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = PageCursor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "The text is no cursor of a page. Begin with the first page.")
    }
    self = cursor
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

// MARK: - Bytes

/// The first byte of a value in a cursor.
private enum CursorMark: UInt8 {
  case null, no, yes, integer, double, decimal, string, date, data, uuid, url
}

private struct CursorWriter {
  var bytes: [UInt8] = []

  mutating func append(_ number: UInt64) {
    for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8))) }
  }

  mutating func append(_ content: some Collection<UInt8>) {
    var length = content.count
    while length >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    bytes.append(UInt8(length))
    bytes += content
  }

  mutating func append(_ text: String) { append(text.utf8) }

  private mutating func mark(_ mark: CursorMark) { bytes.append(mark.rawValue) }

  mutating func append(_ value: Value) {
    switch value {
    case .boolean(let truth): mark(truth ? .yes : .no)
    case .integer(let number):
      mark(.integer)
      append(UInt64(bitPattern: number))
    case .double(let number):
      mark(.double)
      append(number.bitPattern)
    case .decimal(let number):
      mark(.decimal)
      append(number.description)
    case .string(let text):
      mark(.string)
      append(text)
    case .date(let date):
      mark(.date)
      append(date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      mark(.data)
      append(data)
    case .uuid(let id):
      mark(.uuid)
      append(id.uuidString)
    case .url(let url):
      mark(.url)
      append(url.absoluteString)
    // because no order compares ids and lists
    case .null, .objectID, .list: mark(.null)
    }
  }
}

/// Reads what a writer wrote. Each function returns nil where the bytes are no such thing.
private struct CursorReader {
  var bytes: ArraySlice<UInt8>

  mutating func number() -> UInt64? {
    guard bytes.count >= 8 else { return nil }
    let number = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    bytes = bytes.dropFirst(8)
    return number
  }

  mutating func content() -> ArraySlice<UInt8>? {
    var (length, shift) = (0, 0)
    while let byte = bytes.popFirst() {
      guard shift <= 28 else { return nil }
      length |= Int(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      guard length <= bytes.count else { return nil }
      defer { bytes = bytes.dropFirst(length) }
      return bytes.prefix(length)
    }
    return nil
  }

  mutating func text() -> String? { content().flatMap { String(validating: $0, as: UTF8.self) } }

  mutating func value() -> Value? {
    guard let byte = bytes.popFirst(), let mark = CursorMark(rawValue: byte) else { return nil }
    switch mark {
    case .null: return .null
    case .no: return .boolean(false)
    case .yes: return .boolean(true)
    case .integer: return number().map { .integer(Int64(bitPattern: $0)) }
    case .double: return number().map { .double(Double(bitPattern: $0)) }
    case .decimal: return text().flatMap { Decimal(string: $0) }.map { .decimal($0) }
    case .string: return text().map { .string($0) }
    case .date:
      return number().map {
        .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)))
      }
    case .data: return content().map { .data(Data($0)) }
    case .uuid: return text().flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
    case .url: return text().flatMap { URL(string: $0) }.map { .url($0) }
    }
  }
}
