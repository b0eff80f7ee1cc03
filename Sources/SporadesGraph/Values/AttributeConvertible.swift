// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// The type of an attribute's property: a type of values, or an optional of one.
public protocol AttributeValue {
  /// The type of values.
  associatedtype Unwrapped: AttributeConvertible
}

extension Optional: AttributeValue where Wrapped: AttributeConvertible {
  /// The type of values.
  public typealias Unwrapped = Wrapped
}

/// A Swift type for attributes. It converts its values to and from cells of a row.
public protocol AttributeConvertible: ValueConvertible, AttributeValue where Unwrapped == Self {
  /// The type of attributes in the model that hold this type.
  static var attributeType: AttributeType { get }
  /// The value that a required property shows for a null in the row: zero or an empty value.
  static var absent: Self { get }
  /// Reads a cell that is not null.
  @unsafe static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> Self
  /// Writes a cell: calls `word` with it, or `bytes` with the content for the page's byte region.
  @unsafe func store(
    word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void)
}

/// A type whose cell is the word itself.
@usableFromInline
protocol WordConvertible: AttributeConvertible {
  init(word: UInt64)
  var word: UInt64 { get }
}

extension WordConvertible {
  /// Reads the word as a value of the type.
  @inlinable @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> Self { Self(word: word) }

  /// Writes the value as a word.
  @inlinable @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    word(self.word)
  }
}

extension FixedWidthInteger {
  @inlinable init(word: UInt64) { self.init(truncatingIfNeeded: Int64(bitPattern: word)) }
  @inlinable var word: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension Int: WordConvertible {
  public static var attributeType: AttributeType { .integer64 }
  @inlinable public static var absent: Int { 0 }
}
extension Int64: WordConvertible {
  public static var attributeType: AttributeType { .integer64 }
  @inlinable public static var absent: Int64 { 0 }
}
extension Int32: WordConvertible {
  public static var attributeType: AttributeType { .integer32 }
  @inlinable public static var absent: Int32 { 0 }
}
extension Int16: WordConvertible {
  public static var attributeType: AttributeType { .integer16 }
  @inlinable public static var absent: Int16 { 0 }
}
extension Bool: WordConvertible {
  public static var attributeType: AttributeType { .boolean }
  @inlinable public static var absent: Bool { false }
  @inlinable init(word: UInt64) { self = word != 0 }
  @inlinable var word: UInt64 { self ? 1 : 0 }
}
extension Double: WordConvertible {
  public static var attributeType: AttributeType { .double }
  @inlinable public static var absent: Double { 0 }
  @inlinable init(word: UInt64) { self.init(bitPattern: word) }
  // A row has no negative zero, because a column has none.
  @inlinable var word: UInt64 { (self + 0).bitPattern }
}
extension Float: WordConvertible {
  public static var attributeType: AttributeType { .float }
  @inlinable public static var absent: Float { 0 }
  @inlinable init(word: UInt64) { self.init(Double(bitPattern: word)) }
  @inlinable var word: UInt64 { (Double(self) + 0).bitPattern }
}
extension Date: WordConvertible {
  public static var attributeType: AttributeType { .date }
  @inlinable public static var absent: Date { Date(timeIntervalSinceReferenceDate: 0) }
  @inlinable init(word: UInt64) {
    self.init(timeIntervalSinceReferenceDate: Double(bitPattern: word))
  }
  @inlinable var word: UInt64 { (timeIntervalSinceReferenceDate + 0).bitPattern }
}

extension String: AttributeConvertible {
  public static var attributeType: AttributeType { .string }
  @inlinable public static var absent: String { "" }

  @inlinable @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> String {
    let place = BytePlace(rawValue: word)
    return unsafe String(
      decoding: UnsafeBufferPointer(start: bytes + place.offset, count: place.length),
      as: UTF8.self)
  }

  @inlinable @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    var text = self
    text.withUTF8 { unsafe bytes(UnsafeRawBufferPointer($0)) }
  }
}

extension Data: AttributeConvertible {
  public static var attributeType: AttributeType { .binary }
  public static var absent: Data { Data() }

  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> Data {
    let place = BytePlace(rawValue: word)
    return unsafe Data(bytes: bytes + place.offset, count: place.length)
  }

  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe withUnsafeBytes { unsafe bytes($0) }
  }
}

extension UUID: AttributeConvertible {
  public static var attributeType: AttributeType { .uuid }
  public static var absent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> UUID {
    let place = BytePlace(rawValue: word)
    guard place.length == 16 else { return absent }
    return unsafe UUID(
      uuid: UnsafeRawPointer(bytes + place.offset).loadUnaligned(as: uuid_t.self))
  }

  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe Swift.withUnsafeBytes(of: uuid) { unsafe bytes($0) }
  }
}

extension Decimal: AttributeConvertible {
  public static var attributeType: AttributeType { .decimal }
  public static var absent: Decimal { 0 }

  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> Decimal {
    // A row holds the digits of the number, or `NaN`.
    unsafe Decimal(string: String.load(word: word, bytes: bytes)) ?? .nan
  }

  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe description.store(word: word, bytes: bytes)
  }
}

extension URL: AttributeConvertible {
  public static var attributeType: AttributeType { .uri }
  public static var absent: URL {
    guard let nowhere = URL(string: "about:blank") else {
      trap("Foundation does not parse about:blank.")
    }
    return nowhere
  }

  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> URL {
    unsafe URL(string: String.load(word: word, bytes: bytes)) ?? absent
  }

  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe absoluteString.store(word: word, bytes: bytes)
  }
}
