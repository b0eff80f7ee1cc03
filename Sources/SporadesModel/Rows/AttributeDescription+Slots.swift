// SPDX-License-Identifier: MIT

extension AttributeType {
  /// The kind of slot that holds a value of the type; nil for a type that no store keeps.
  ///
  /// A decimal lies as text, which keeps every digit. A UUID lies as its sixteen bytes. A
  /// transformable value lies as the bytes that its transformer made.
  public var slotKind: RowLayout.Kind? {
    switch self {
    case .integer16, .integer32, .integer64: .integer
    case .boolean: .truth
    case .double, .float, .date: .real
    case .string, .uri, .decimal: .text
    case .binary, .uuid, .transformable: .bytes
    case .undefined, .objectID, .composite: nil
    }
  }
}

extension AttributeDescription {
  /// A store may keep each value in a separate file. This holds for bytes that the store does not
  /// compute.
  package var isLarge: Bool {
    allowsExternalBinaryDataStorage && type.slotKind == .bytes && !isDerived
  }
}
