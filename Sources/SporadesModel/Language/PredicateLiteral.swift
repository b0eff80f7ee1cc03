// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The literals of the format language, and the casts that express values without a literal.
package enum PredicateLiteral {
  package static func number(
    _ digits: String, isNegative: Bool, at position: Int
  ) throws(FetchPredicateError) -> Value {
    let sign = isNegative ? "-" : ""
    if let base = ["0x": 16, "0o": 8, "0b": 2][digits.prefix(2).lowercased()] {
      if let number = Int64(sign + digits.dropFirst(2), radix: base) { return .integer(number) }
    } else if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      if let number = Int64(sign + digits) { return .integer(number) }
    } else if let number = Double(sign + digits) {
      return exactly(sign + digits, number)
    }
    throw FetchPredicateError(
      .syntax, "This is not a number, or the number is too large.", position: position)
  }

  /// A double, or a decimal if the literal has digits that a double does not keep.
  private static func exactly(_ text: String, _ number: Double) -> Value {
    guard text.utf8.count > 16, number.isFinite, let exact = Decimal(string: text), !exact.isNaN,
      Decimal(string: number.description) != exact
    else { return .double(number) }
    return .decimal(exact)
  }

  /// The type whose literal is the URI of an object's id.
  static let idType = "NSManagedObjectID"
  /// The types that only a literal can be cast to.
  static let types = ["NSUUID", "NSURL", "NSData", idType]

  /// The value of a literal in another type; nil if the type cannot read the literal.
  package static func cast(_ value: Value, to type: String) -> Value? {
    switch (type, value) {
    case ("NSDate", .double(let seconds)):
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case ("NSDate", .integer(let seconds)):
      return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case ("NSNumber", .string(let text)): return Double(text).map { .double($0) }
    case ("NSDecimalNumber", .string(let text)):
      return text == "NaN" ? .decimal(.nan) : Decimal(string: text).map { .decimal($0) }
    case ("NSUUID", .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
    case ("NSURL", .string(let text)): return URL(string: text).map { .url($0) }
    case ("NSData", .string(let text)): return Data(base64Encoded: text).map { .data($0) }
    default: return nil
    }
  }

  /// Writes a value as a literal. A text gives the id of an object back while its store is open.
  package static func render(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let truth): truth ? "TRUE" : "FALSE"
    case .integer(let number): String(number)
    case .double(let number):
      number.isFinite ? number.description : "CAST(\"\(number)\", \"NSNumber\")"
    case .decimal(let number): "CAST(\"\(number)\", \"NSDecimalNumber\")"
    case .string(let text): quoted(text)
    case .date(let date):
      "CAST(\(render(.double(date.timeIntervalSinceReferenceDate))), \"NSDate\")"
    case .data(let data): "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
    case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case .url(let url): "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
    case .objectID(let id):
      "CAST(\(quoted(id.uriRepresentation().absoluteString)), \"\(idType)\")"
    case .list(let items): "{\(items.map(render).joined(separator: ", "))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result: String.UnicodeScalarView = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      default: result.append(scalar)
      }
    }
    result.append("\"")
    return String(result)
  }
}
