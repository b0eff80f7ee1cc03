// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// A value in the form that a row stores: one word, or bytes of the page's region.
enum Cell: Equatable {
  case word(UInt64)
  case bytes([UInt8])

  /// The cell for a value; nil if the value is null or not of the type.
  init?(_ value: Value, as type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = value.integer, type.integerRange.contains(number) else { return nil }
      self = .word(UInt64(bitPattern: number))
    case .boolean:
      guard let number = value.integer else { return nil }
      self = .word(number == 0 ? 0 : 1)
    case .double, .float:
      guard let number = value.double else { return nil }
      // A row has no negative zero, because a column has none.
      self = .word(((type == .float ? Double(Float(number)) : number) + 0).bitPattern)
    case .date:
      guard case .date(let date) = value else { return nil }
      self = .word((date.timeIntervalSinceReferenceDate + 0).bitPattern)
    case .decimal:
      guard let number = value.decimal else { return nil }
      self = .bytes(Array(number.description.utf8))
    case .string:
      guard case .string(let text) = value else { return nil }
      self = .bytes(Array(text.utf8))
    case .uri:
      switch value {
      case .url(let url): self = .bytes(Array(url.absoluteString.utf8))
      case .string(let text): self = .bytes(Array(text.utf8))
      default: return nil
      }
    case .binary, .transformable:
      guard case .data(let data) = value else { return nil }
      self = .bytes(Array(data))
    case .uuid:
      guard case .uuid(let uuid) = value else { return nil }
      self = unsafe .bytes(withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) })
    case .undefined, .objectID, .composite: return nil
    }
  }
}

extension Cell {
  /// The cell as a value of the Swift type that fits it.
  func load<V: AttributeConvertible>() -> V {
    switch self {
    case .word(let word):
      var nothing: UInt8 = 0
      return unsafe withUnsafePointer(to: &nothing) { unsafe V.load(word: word, bytes: $0) }
    case .bytes(var bytes):
      let word = BytePlace(offset: 0, length: bytes.count).rawValue
      // One extra byte gives empty content an address.
      bytes.append(0)
      return unsafe bytes.withUnsafeBufferPointer {
        unsafe V.load(word: word, bytes: $0.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}

extension AttributeType {
  /// The value of a cell that is not null.
  @unsafe
  func value(word: UInt64, bytes: UnsafePointer<UInt8>) -> Value {
    switch self {
    case .integer16, .integer32, .integer64: .integer(Int64(bitPattern: word))
    case .boolean: .boolean(word != 0)
    case .double, .float: .double(Double(bitPattern: word))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)))
    case .decimal: unsafe .decimal(Decimal.load(word: word, bytes: bytes))
    case .string: unsafe .string(String.load(word: word, bytes: bytes))
    case .uri: unsafe .url(URL.load(word: word, bytes: bytes))
    case .binary, .transformable: unsafe .data(Data.load(word: word, bytes: bytes))
    case .uuid: unsafe .uuid(UUID.load(word: word, bytes: bytes))
    case .undefined, .objectID, .composite: .null
    }
  }
}

extension Value {
  var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .double(let number): Int64(exactly: number)
    case .decimal(let number): Int64(number.description)
    default: nil
    }
  }

  var double: Double? {
    switch self {
    case .double(let number): number
    case .integer(let number): Double(number)
    case .boolean(let flag): flag ? 1 : 0
    case .decimal(let number): Double(number.description)
    default: nil
    }
  }

  var decimal: Decimal? {
    switch self {
    case .decimal(let number): number
    case .integer(let number): Decimal(number)
    // Foundation reads "-inf" as 0.
    case .double(let number): number.isFinite ? Decimal(string: "\(number)") : nil
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
  }
}

extension AttributeType {
  /// A row keeps the value as it is.
  package func holds(_ value: Value) -> Bool { Cell(value, as: self) != nil }
}
