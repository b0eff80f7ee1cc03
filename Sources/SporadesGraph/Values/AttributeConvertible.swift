// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// A Swift type for attributes. It converts its values to and from cells of a row.
public protocol AttributeConvertible: ValueConvertible {
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
  /// A 64-bit integer.
  public static var attributeType: AttributeType { .integer64 }
  /// Zero.
  @inlinable public static var absent: Int { 0 }
}
extension Int64: WordConvertible {
  /// A 64-bit integer.
  public static var attributeType: AttributeType { .integer64 }
  /// Zero.
  @inlinable public static var absent: Int64 { 0 }
}
extension Int32: WordConvertible {
  /// A 32-bit integer.
  public static var attributeType: AttributeType { .integer32 }
  /// Zero.
  @inlinable public static var absent: Int32 { 0 }
}
extension Int16: WordConvertible {
  /// A 16-bit integer.
  public static var attributeType: AttributeType { .integer16 }
  /// Zero.
  @inlinable public static var absent: Int16 { 0 }
}
extension Bool: WordConvertible {
  /// A truth value.
  public static var attributeType: AttributeType { .boolean }
  /// False.
  @inlinable public static var absent: Bool { false }
  @inlinable init(word: UInt64) { self = word != 0 }
  @inlinable var word: UInt64 { self ? 1 : 0 }
}
extension Double: WordConvertible {
  /// A double.
  public static var attributeType: AttributeType { .double }
  /// Zero.
  @inlinable public static var absent: Double { 0 }
  @inlinable init(word: UInt64) { self.init(bitPattern: word) }
  @inlinable var word: UInt64 { bitPattern }
}
extension Float: WordConvertible {
  /// A float.
  public static var attributeType: AttributeType { .float }
  /// Zero.
  @inlinable public static var absent: Float { 0 }
  @inlinable init(word: UInt64) { self.init(Double(bitPattern: word)) }
  @inlinable var word: UInt64 { Double(self).bitPattern }
}
extension Date: WordConvertible {
  /// A date.
  public static var attributeType: AttributeType { .date }
  /// The reference date, 1 January 2001.
  @inlinable public static var absent: Date { Date(timeIntervalSinceReferenceDate: 0) }
  @inlinable init(word: UInt64) {
    self.init(timeIntervalSinceReferenceDate: Double(bitPattern: word))
  }
  @inlinable var word: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}

extension String: AttributeConvertible {
  /// A text.
  public static var attributeType: AttributeType { .string }
  /// The empty text.
  @inlinable public static var absent: String { "" }

  /// Reads a text from the byte region.
  @inlinable @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> String {
    let place = BytePlace(rawValue: word)
    return unsafe String(
      decoding: UnsafeBufferPointer(start: bytes + place.offset, count: place.length),
      as: UTF8.self)
  }

  /// Writes the text as UTF-8.
  @inlinable @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    var text = self
    text.withUTF8 { unsafe bytes(UnsafeRawBufferPointer($0)) }
  }
}

extension Data: AttributeConvertible {
  /// Binary data.
  public static var attributeType: AttributeType { .binary }
  /// Empty data.
  public static var absent: Data { Data() }

  /// Copies the data from the byte region.
  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> Data {
    let place = BytePlace(rawValue: word)
    return unsafe Data(bytes: bytes + place.offset, count: place.length)
  }

  /// Writes the data.
  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe withUnsafeBytes { unsafe bytes($0) }
  }
}

extension UUID: AttributeConvertible {
  /// A UUID.
  public static var attributeType: AttributeType { .uuid }
  /// The UUID of zeros.
  public static var absent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  /// Reads a UUID from its sixteen bytes.
  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> UUID {
    let place = BytePlace(rawValue: word)
    guard place.length == 16 else { return absent }
    return unsafe UUID(
      uuid: UnsafeRawPointer(bytes + place.offset).loadUnaligned(as: uuid_t.self))
  }

  /// Writes the sixteen bytes of the UUID.
  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe Swift.withUnsafeBytes(of: uuid) { unsafe bytes($0) }
  }
}

extension Decimal: AttributeConvertible {
  /// A decimal number.
  public static var attributeType: AttributeType { .decimal }
  /// Zero.
  public static var absent: Decimal { 0 }

  /// Reads a decimal number from its digits.
  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> Decimal {
    // A row holds the digits of the number, or `NaN`.
    unsafe Decimal(string: String.load(word: word, bytes: bytes)) ?? .nan
  }

  /// Writes the digits of the number.
  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe description.store(word: word, bytes: bytes)
  }
}

extension URL: AttributeConvertible {
  /// A URI.
  public static var attributeType: AttributeType { .uri }
  /// The address `about:blank`.
  public static var absent: URL {
    guard let nowhere = URL(string: "about:blank") else { preconditionFailure() }
    return nowhere
  }

  /// Reads a URL from its text.
  @unsafe
  public static func load(word: UInt64, bytes: UnsafePointer<UInt8>) -> URL {
    unsafe URL(string: String.load(word: word, bytes: bytes)) ?? absent
  }

  /// Writes the text of the URL.
  @unsafe
  public func store(word: (UInt64) -> Void, bytes: (UnsafeRawBufferPointer) -> Void) {
    unsafe absoluteString.store(word: word, bytes: bytes)
  }
}
