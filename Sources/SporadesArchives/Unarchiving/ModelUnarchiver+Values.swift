// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

// Default values and bounds.
extension ModelUnarchiver {
  mutating func readDefault(
    _ value: ArchivedValue, _ type: AttributeType, _ entity: String, _ name: String
  ) throws(PropertyListError) -> Value {
    if let value = try Self.value(value, type) { return value }
    warn(
      .invalidDefault, entity, name,
      "has a default of the class \(try value.className), which cannot be read. It is left out.")
    return .null
  }

  /// The value of an object; nil if an attribute of the type cannot have it.
  private static func value(
    _ value: ArchivedValue, _ type: AttributeType
  ) throws(PropertyListError) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: return value.integer.map { .integer($0) }
    case .double, .float: return value.real.map { .double($0) }
    case .decimal: return value.integer.map { .decimal(Decimal($0)) }
    case .boolean: return value.integer.map { .boolean($0 != 0) }
    case .string: return try value.text.map { .string($0) }
    case .date: return try seconds(value).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .binary: return try value.bytes.map { .data(Data($0)) }
    case .uuid:
      guard let bytes = try value["NS.uuidbytes"]?.bytes, bytes.count == 16 else { return nil }
      return .uuid(UUID(bigEndian: bytes))
    case .uri: return try value["NS.relative"]?.text.flatMap(URL.init).map { .url($0) }
    case .undefined, .transformable, .objectID, .composite: return nil
    }
  }

  private static func seconds(_ value: ArchivedValue) throws(PropertyListError) -> Double? {
    try value["NS.time"]?.real
  }

  // MARK: - Bounds

  /// Reads the bounds out of the conditions that an archive keeps in their place.
  mutating func readValidation(
    _ attribute: ArchivedValue, _ type: AttributeType, _ entity: String, _ name: String
  ) throws(PropertyListError) -> AttributeValidation {
    var validation = AttributeValidation()
    for archived in try Self.items(attribute["NSValidationPredicates"]) {
      let predicate = try readPredicate(archived, entity, name, orElse: "It is left out.")
      guard let predicate else { continue }
      let parts = if case .and(let parts) = predicate { parts } else { [predicate] }
      for part in parts where !validation.takeBound(part, type) {
        validation.predicates.append(part)
      }
    }
    return validation
  }

  /// Reads a predicate. If it cannot be read, the reader adds a warning and returns nil.
  mutating func readPredicate(
    _ predicate: ArchivedValue, _ entity: String?, _ property: String?, orElse remedy: String
  ) throws(PropertyListError) -> FetchPredicate? {
    do throws(PropertyListError) {
      return try PredicateUnarchiver().predicate(predicate)
    } catch {
      warn(
        .invalidPredicate, entity, property,
        "has a predicate that cannot be read: \(error.reason). \(remedy)")
      return nil
    }
  }
}

extension AttributeValidation {
  /// Takes a condition that is a bound. Returns false if it is none.
  fileprivate mutating func takeBound(_ predicate: FetchPredicate, _ type: AttributeType) -> Bool {
    guard case .comparison(let comparison) = predicate, comparison.options.isEmpty,
      comparison.quantifier == .direct, case .constant(let bound) = comparison.right
    else { return false }
    switch (comparison.left, comparison.comparator, bound) {
    case (.keyPath(["length"]), .greaterOrEqual, .integer(let length)) where type == .string:
      minimumLength = Int(clamping: length)
    case (.keyPath(["length"]), .lessOrEqual, .integer(let length)) where type == .string:
      maximumLength = Int(clamping: length)
    case (.subject, .matches, .string(let text)) where type == .string: pattern = text
    case (.subject, .greaterOrEqual, _) where Self.isOrdered(type):
      guard let bound = bound.bound(of: type) else { return false }
      minimum = bound
    case (.subject, .lessOrEqual, _) where Self.isOrdered(type):
      guard let bound = bound.bound(of: type) else { return false }
      maximum = bound
    default: return false
    }
    return true
  }

  private static func isOrdered(_ type: AttributeType) -> Bool {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: true
    case .undefined, .string, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      false
    }
  }
}

extension Value {
  /// A number as the attribute's own kind of number; nil if that kind has no such number.
  fileprivate func bound(of type: AttributeType) -> Value? {
    switch (self, type) {
    case (.integer(let number), .double), (.integer(let number), .float): .double(Double(number))
    case (.integer(let number), .decimal): .decimal(Decimal(number))
    case (.integer(let number), .date):
      .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    // A decimal made of the double itself would be another number, and infinity would end the process.
    case (.double(let number), .decimal):
      number.isFinite ? Decimal(string: number.description).map { .decimal($0) } : nil
    case (.double(let number), .date): .date(Date(timeIntervalSinceReferenceDate: number))
    default: self
    }
  }
}

extension UUID {
  fileprivate init(bigEndian bytes: [UInt8]) {
    self.init(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}
