// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// How the values of one attribute are read.
struct Coercion: Sendable {
  let type: AttributeType
  let dates: ImportDateFormat
  /// The pattern of ``ImportDateFormat/pattern(_:)``.
  let pattern: DatePattern?

  init(_ type: AttributeType, _ dates: ImportDateFormat) throws(CoercionRefusal) {
    self.type = type
    self.dates = dates
    if case .pattern(let text) = dates { pattern = try DatePattern(text) } else { pattern = nil }
  }

  /// The value of a node in the form of the attribute's cell.
  func coerce(_ node: RecordNode, in batch: RecordBatch) throws(CoercionRefusal) -> CoercedValue {
    let start = Int(node.start)
    switch node.kind {
    case .null, .blank: return .null
    case .isFalse: return try boolean(false)
    case .isTrue: return try boolean(true)
    case .integer, .real:
      return try number(batch.bytes[start..<start + Int(node.count)], in: start)
    case .text: return try text(batch.bytes[start..<start + Int(node.count)], in: start)
    case .escaped, .doubled: return try text(batch.content(of: node)[...], in: nil)
    case .given: return try given(batch.values[start])
    case .array: throw CoercionRefusal("an array stands where \(type.indefinite) was expected.")
    case .object, .row:
      throw CoercionRefusal("an object stands where \(type.indefinite) was expected.")
    }
  }

  /// The value of something that the program gave or computed.
  func coerce(_ value: ImportValue) throws(CoercionRefusal) -> CoercedValue {
    switch value {
    case .null: return .null
    case .boolean(let truth): return try boolean(truth)
    case .number(let text): return try number(Array(text.utf8)[...], in: nil)
    case .text(let text): return try self.text(Array(text.utf8)[...], in: nil)
    case .array: throw CoercionRefusal("an array stands where \(type.indefinite) was expected.")
    case .record: throw CoercionRefusal("an object stands where \(type.indefinite) was expected.")
    case .value: return try given(value)
    }
  }

  private func given(_ value: ImportValue) throws(CoercionRefusal) -> CoercedValue {
    guard case .value(let value) = value else { return try coerce(value) }
    switch value {
    case .null: return .null
    case .boolean(let truth): return try boolean(truth)
    case .integer(let number): return try self.number(Array("\(number)".utf8)[...], in: nil)
    case .double(let number):
      guard number.isFinite else { throw refusal("\(number)") }
      return try self.number(Array("\(number)".utf8)[...], in: nil)
    case .decimal(let number): return try self.number(Array("\(number)".utf8)[...], in: nil)
    case .string(let text): return try self.text(Array(text.utf8)[...], in: nil)
    case .date(let date):
      guard type == .date else { throw CoercionRefusal("a date is not \(type.indefinite).") }
      return .word(date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      guard type == .binary || type == .transformable else {
        throw CoercionRefusal("bytes are not \(type.indefinite).")
      }
      return .bytes(Array(data))
    case .uuid(let uuid):
      if type == .uuid { return unsafe .bytes(withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) }) }
      return try text(Array(uuid.uuidString.utf8)[...], in: nil)
    case .url(let url): return try text(Array(url.absoluteString.utf8)[...], in: nil)
    case .objectID, .list:
      throw CoercionRefusal("\(value.debugDescription) is not \(type.indefinite).")
    }
  }

  // MARK: - By kind

  private func boolean(_ truth: Bool) throws(CoercionRefusal) -> CoercedValue {
    switch type {
    case .boolean, .integer16, .integer32, .integer64: .word(truth ? 1 : 0)
    case .double, .float: .word(Double(truth ? 1 : 0).bitPattern)
    case .decimal: .bytes(Array((truth ? "1" : "0").utf8))
    case .string: .bytes(Array((truth ? "true" : "false").utf8))
    default: throw refusal(truth ? "true" : "false")
    }
  }

  private func number(
    _ digits: ArraySlice<UInt8>, in place: Int?
  ) throws(CoercionRefusal) -> CoercedValue {
    switch type {
    case .string: return bytes(digits, place)
    case .boolean:
      guard let number = NumberText.double(digits), number == 0 || number == 1 else {
        throw refusal(digits)
      }
      return .word(number == 0 ? 0 : 1)
    case .date: return try date(number: digits)
    case .integer16, .integer32, .integer64, .double, .float, .decimal:
      return try numeric(digits)
    default: throw refusal(digits)
    }
  }

  private func text(
    _ text: ArraySlice<UInt8>, in place: Int?
  ) throws(CoercionRefusal) -> CoercedValue {
    switch type {
    case .string: return bytes(text, place)
    case .integer16, .integer32, .integer64, .double, .float, .decimal:
      return try numeric(Self.trimmed(text))
    case .boolean: return .word(try truth(Self.trimmed(text)) ? 1 : 0)
    case .date: return try date(text: Self.trimmed(text))
    case .uuid:
      guard let uuid = UUID(uuidString: String(decoding: Self.trimmed(text), as: UTF8.self)) else {
        throw refusal(text)
      }
      return unsafe .bytes(withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) })
    case .uri:
      guard URL(string: String(decoding: text, as: UTF8.self)) != nil else { throw refusal(text) }
      return bytes(text, place)
    case .binary, .transformable:
      guard let data = Data(base64Encoded: Data(text)) else {
        throw CoercionRefusal("the text is no base64, in which bytes are expected.")
      }
      return .bytes(Array(data))
    case .undefined, .objectID, .composite: throw refusal(text)
    }
  }

  private func bytes(_ bytes: ArraySlice<UInt8>, _ place: Int?) -> CoercedValue {
    place.map { .place(start: $0, count: bytes.count) } ?? .bytes(Array(bytes))
  }

  private func numeric(_ digits: ArraySlice<UInt8>) throws(CoercionRefusal) -> CoercedValue {
    switch type {
    case .double:
      guard let number = NumberText.double(digits) ?? NumberText.infinity(digits) else {
        throw refusal(digits)
      }
      return .word((number + 0).bitPattern)
    case .float:
      guard let number = NumberText.double(digits) ?? NumberText.infinity(digits),
        Float(number).isFinite || number.isInfinite
      else { throw refusal(digits) }
      return .word((Double(Float(number)) + 0).bitPattern)
    case .decimal:
      guard let number = NumberText.decimal(digits) else {
        if digits.elementsEqual("NaN".utf8) { return .bytes(Array(digits)) }
        throw refusal(digits)
      }
      return .bytes(Array(number.description.utf8))
    default:
      guard let number = whole(digits), range.contains(number) else { throw refusal(digits) }
      return .word(UInt64(bitPattern: number))
    }
  }

  /// The whole number that digits mean: also `1.0` and `1e3`.
  private func whole(_ digits: ArraySlice<UInt8>) -> Int64? {
    if let number = NumberText.integer(digits) { return number }
    // Doubles hold whole numbers exactly up to 2^53.
    guard let number = NumberText.double(digits), abs(number) <= 9_007_199_254_740_992 else {
      return nil
    }
    return Int64(exactly: number)
  }

  private var range: ClosedRange<Int64> {
    switch type {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    default: .min ... .max
    }
  }

  private func truth(_ text: ArraySlice<UInt8>) throws(CoercionRefusal) -> Bool {
    switch String(decoding: text, as: UTF8.self).lowercased() {
    case "true", "yes", "y", "t", "1", "on": true
    case "false", "no", "n", "f", "0", "off": false
    default: throw refusal(text)
    }
  }

  // MARK: - Dates

  private func date(number digits: ArraySlice<UInt8>) throws(CoercionRefusal) -> CoercedValue {
    guard let seconds = DateNumber.parse(digits, dates) else { throw refusal(digits) }
    guard DateNumber.years.contains(seconds) else {
      throw CoercionRefusal(
        "\(Self.quoted(digits)) is no date of the years -9999 to 9999. \(dates.describeUnit(of: digits))"
      )
    }
    return .word(seconds.bitPattern)
  }

  private func date(text: ArraySlice<UInt8>) throws(CoercionRefusal) -> CoercedValue {
    switch dates {
    case .iso8601:
      if let seconds = DateText.parse(text) { return .word(seconds.bitPattern) }
      throw CoercionRefusal(
        "\(Self.quoted(text)) is no date of ISO 8601; name its format\(ImportDateFormat.example(for: text))."
      )
    case .pattern:
      if let seconds = pattern?.parse(text) { return .word(seconds.bitPattern) }
      throw CoercionRefusal(
        "\(Self.quoted(text)) is no date of the format \(pattern?.text ?? "").")
    case .secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate:
      return try date(number: text)
    }
  }

  // MARK: - Sentences

  private func refusal(_ text: ArraySlice<UInt8>) -> CoercionRefusal {
    CoercionRefusal("\(Self.quoted(text)) is not \(type.indefinite).")
  }

  private func refusal(_ text: String) -> CoercionRefusal {
    CoercionRefusal("\(text) is not \(type.indefinite).")
  }

  private static func quoted(_ text: ArraySlice<UInt8>) -> String {
    let start = String(decoding: text.prefix(40), as: UTF8.self)
    return "\(start.debugDescription)\(text.count > 40 ? "…" : "")"
  }

  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while text.first == 0x20 { text.removeFirst() }
    while text.last == 0x20 { text.removeLast() }
    return text
  }
}

extension AttributeType {
  /// The words for a value of the type.
  var indefinite: String {
    switch self {
    case .integer16: "a whole number of 16 bits"
    case .integer32: "a whole number of 32 bits"
    case .integer64: "a whole number of 64 bits"
    case .decimal: "a decimal of 38 digits"
    case .double: "a number"
    case .float: "a number of 32 bits"
    case .string: "a text"
    case .boolean: "a truth value"
    case .date: "a date"
    case .binary, .transformable: "a text in base64"
    case .uuid: "a UUID"
    case .uri: "a URL"
    case .undefined, .objectID, .composite: "a value of an attribute"
    }
  }
}

extension AttributeType {
  /// The value that an import reads in a text for an attribute of the type.
  package func value(ofText text: String) throws(CoercionRefusal) -> Value {
    try Coercion(self, .iso8601).coerce(.text(text)).value(of: self, in: RecordBatch())
  }
}
