// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

/// A type whose syntax shows that no attribute holds it.
///
/// The compiler finds all other types that no attribute holds, but it cannot say what to write instead.
struct UnstorableType {
  /// The part of the declared type that cannot be stored.
  let node: TypeSyntax
  /// The clause that names what to write.
  let remedy: String
  /// The type to write instead; nil if there are several.
  let substitute: TypeSyntax?

  /// Finds the part of a type that no attribute holds; nil if the syntax shows none.
  init?(in type: TypeSyntax) {
    if let inner = type.wrappedType {
      guard let found = UnstorableType(in: inner) else { return nil }
      self = found
    } else if let name = type.as(IdentifierTypeSyntax.self), name.genericArgumentClause == nil,
      let substitute = substitutes[name.name.text]
    {
      self.init(type, "declare it \(substitute)", TypeSyntax("\(raw: substitute)"))
    } else if let name = type.as(IdentifierTypeSyntax.self), let remedy = remedies[name.name.text] {
      self.init(type, remedy)
    } else if type.is(SomeOrAnyTypeSyntax.self) || type.is(CompositionTypeSyntax.self) {
      self.init(type, "declare one Codable type, such as an enum with a case for each kind")
    } else if type.is(MetatypeTypeSyntax.self) {
      self.init(type, "declare a String with the type's name")
    } else if type.containsAny {
      self.init(type, "declare elements of a Codable type")
    } else {
      return nil
    }
  }

  private init(_ node: TypeSyntax, _ remedy: String, _ substitute: TypeSyntax? = nil) {
    self.node = node
    self.remedy = remedy
    self.substitute = substitute
  }
}

extension TypeSyntax {
  /// The type inside an optional, an attribute or parentheses; nil if there is none of them.
  var wrappedType: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType
    }
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.type
    }
    return nil
  }

  /// The value may be nil.
  var isOptional: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
      || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
  }

  /// An array or dictionary of `Any`.
  fileprivate var containsAny: Bool {
    let element =
      self.as(ArrayTypeSyntax.self)?.element ?? self.as(DictionaryTypeSyntax.self)?.value
    guard let element else { return false }
    return ["Any", "AnyObject"].contains(element.trimmedDescription) || element.containsAny
  }
}

/// The attribute type that takes the place of a type.
private let substitutes = [
  "CGFloat": "Double", "Character": "String", "Float16": "Float", "Int8": "Int16",
  "NSData": "Data", "NSDate": "Date", "NSDecimalNumber": "Decimal", "NSString": "String",
  "NSURL": "URL", "NSUUID": "UUID", "StaticString": "String", "Substring": "String",
  "UInt16": "Int32", "UInt32": "Int64", "UInt8": "Int16",
]

private let remedies = [
  "Any": "declare the type of its values", "AnyHashable": "declare the type of its values",
  "AnyObject": "declare the type of its values",
  "Int128": "declare it Int64, or Decimal for larger numbers",
  "NSArray": "declare an Array with the type of its elements",
  "NSDictionary": "declare a Dictionary with the types of its keys and values",
  "NSManagedObject": "declare the class of an entity",
  "NSNumber": "declare it Int, Double or Bool",
  "NSOrderedSet": "declare an Array of the class of an entity",
  "NSSet": "declare a Set of the class of an entity",
  "UInt": "declare it Int, or Decimal for numbers above Int.max",
  "UInt64": "declare it Int64, or Decimal for numbers above Int64.max",
  "UInt128": "declare it Int64, or Decimal for larger numbers",
]
