// SPDX-License-Identifier: MIT

// The content of version hashes for each part of a model, as short text: two parts with one text
// have one hash.

extension EntityDescription {
  /// The part of the hash for the entity itself, besides its name and its properties.
  var hashedSpelling: String {
    var words: [String] = []
    if isAbstract { words.append("abstract") }
    if let superentityName { words.append("in \(superentityName)") }
    let constraints = (uniquenessConstraints + unenforcedConstraints).map {
      $0.joined(separator: ".")
    }
    if !constraints.isEmpty {
      let sorted = constraints.inByteOrder()
      words.append("unique(\(sorted.joined(separator: ";")))")
    }
    if let modifier = hashedModifier(versionHashModifier) { words.append(modifier) }
    return words.joined(separator: " ")
  }
}

extension AttributeDescription {
  /// The part of the hash for the attribute, besides its name: `Integer16?`, `Binary external`.
  var hashedSpelling: String {
    if let derivationExpression {
      let text = Derivation(derivationExpression)?.text ?? derivationExpression
      return "derived(\(text.encodedForLock))"
    }
    if type == .composite {
      let parts = elements.inByteOrder { $0.name }
      return "{\(parts.map { "\($0.name) \($0.hashedSpelling)" }.joined(separator: "; "))}"
    }
    var words = [type.spelling + (isOptional ? "?" : "")]
    if isTransient { words.append("transient") }
    if allowsExternalBinaryDataStorage { words.append("external") }
    if preservesValueInHistoryOnDeletion { words.append("preserved") }
    if let modifier = hashedModifier(versionHashModifier) { words.append(modifier) }
    return words.joined(separator: " ")
  }
}

extension RelationshipDescription {
  /// The part of the hash for the relationship, besides its name: `->Owner? inverse pets`, `->>Pet
  /// ordered`.
  var hashedSpelling: String {
    var words = [(isToMany ? "->>" : "->") + destinationEntityName + (isOptional ? "?" : "")]
    if isTransient { words.append("transient") }
    if isOrdered { words.append("ordered") }
    if minCount != 0 { words.append("min \(minCount)") }
    if isToMany, maxCount != 0 { words.append("max \(maxCount)") }
    if let inverse = inverseName ?? unansweredInverseName { words.append("inverse \(inverse)") }
    if let modifier = hashedModifier(versionHashModifier) { words.append(modifier) }
    return words.joined(separator: " ")
  }
}

extension AttributeType {
  /// The name of the type.
  package var spelling: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer16"
    case .integer32: "Integer32"
    case .integer64: "Integer64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "ObjectID"
    case .composite: "Composite"
    }
  }
}

private func hashedModifier(_ modifier: String?) -> String? {
  guard let modifier, !modifier.isEmpty else { return nil }
  return "modifier(\(modifier.encodedForLock))"
}

extension String {
  /// The text without the characters that separate the parts of a lock.
  fileprivate var encodedForLock: String {
    unicodeScalars.map { scalar in
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if isPlain || ".:()@_-+*/".unicodeScalars.contains(scalar) { return String(scalar) }
      return "%" + String(scalar.value, radix: 16) + "%"
    }.joined()
  }
}
