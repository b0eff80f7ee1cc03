// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// Literals and names of Swift source.
package enum SwiftText {
  /// A text as a literal.
  package static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isPlain(scalar): result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result + "\""
  }

  /// A scalar that neither joins with the one before it nor is invisible.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
      false
    default: scalar == " " || !scalar.properties.isWhitespace
    }
  }

  package static func dictionary(_ notes: [String: String]) -> String {
    guard !notes.isEmpty else { return "[:]" }
    let entries = notes.sorted { $0.key < $1.key }.map {
      "\(literal($0.key)): \(literal($0.value))"
    }
    return "[\(entries.joined(separator: ", "))]"
  }

  static func list(_ texts: [String]) -> String {
    "[\(texts.map { literal($0) }.joined(separator: ", "))]"
  }

  static func list(_ elements: [FetchIndexDescription.Element]) -> String {
    let texts = elements.map { element in
      let order = element.isAscending ? "" : ", isAscending: false"
      let kind = element.collation == .rTree ? ", collation: .rTree" : ""
      return ".init(\(literal(element.property))\(order)\(kind))"
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  /// An expression for a value of a scalar type; nil for a value that no attribute's default or bound is.
  package static func expression(_ value: Value) -> String? {
    switch value {
    case .null: "nil"
    case .boolean(let truth): "\(truth)"
    case .integer(let number): number == .min ? "Int64.min" : "\(number)"
    case .double(let number): real(number)
    case .decimal(let number):
      number.isNaN ? "Decimal.nan" : "Decimal(string: \"\(number)\")!"
    case .string(let text): literal(text)
    case .date(let date):
      "Date(timeIntervalSinceReferenceDate: \(real(date.timeIntervalSinceReferenceDate)))"
    case .data(let data): "Data(base64Encoded: \"\(data.base64EncodedString())\")!"
    case .uuid(let id): "UUID(uuidString: \"\(id.uuidString)\")!"
    case .url(let url): "URL(string: \(literal(url.absoluteString)))!"
    case .objectID, .list: nil
    }
  }

  private static func real(_ number: Double) -> String {
    if number.isNaN { return "Double.nan" }
    if number.isInfinite { return number < 0 ? "-Double.infinity" : "Double.infinity" }
    return "\(number)"
  }

  // MARK: - Names

  /// The name as source has it, in back-ticks where Swift has a use for the word.
  package static func identifier(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// A class's property can have the name.
  package static func canDeclare(property name: String) -> Bool {
    !undeclarable.contains(name) && name != "_"
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// A type can have the name, beside Swift's types, Foundation's and the library's.
  package static func canDeclare(type name: String) -> Bool {
    !keywords.contains(name) && !takenTypes.contains(name) && !undeclarable.contains(name)
      && name.first?.isNumber == false && name != "_"
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Words with a meaning behind a point, and members of every object.
  private static let undeclarable: Set<String> = [
    "Protocol", "Type", "init", "self", "hashValue", "declaration", "firstPropertyIndex",
    "propertyKeyPaths",
  ]

  /// Types that generated source names, and names that an attribute of a declaration would be taken for.
  private static let takenTypes: Set<String> = [
    "Array", "Attribute", "Bool", "Character", "Composite", "Data", "Date", "Decimal", "Derived",
    "Dictionary", "Double", "Entity", "Error", "FetchIndexDescription", "FetchPredicate", "Float",
    "Foundation", "Ignored", "Index", "Int", "Int16", "Int32", "Int64", "ManagedObject",
    "ManagedObjectModel", "ManagedProperty", "Never", "Optional", "Relationship", "Result", "Set",
    "Sporades", "String", "Swift", "Transient", "TransformedBytes", "URL", "UUID", "Unique", "Void",
  ]
}
