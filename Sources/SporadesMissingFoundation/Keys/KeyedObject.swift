// SPDX-License-Identifier: MIT
public import SporadesModel

/// An object that predicates, sort descriptors and collections read by the names of its properties.
///
/// The module `CoreData` conforms managed objects and their ids. Dictionaries, texts and other objects need no conformance: the
/// reader finds their stored properties.
public protocol KeyedObject: CVarArg {
  /// The value of the property with a name. A name that no property has is an error.
  func keyedValue(_ name: String) throws -> Any?
  /// Gives the property with a name a value. An object that is only read throws.
  func setKeyedValue(_ value: Any?, _ name: String) throws
  /// The value that stands for the object in a comparison; nil for an object that no predicate compares.
  var comparedAs: Value? { get }
  /// The object's own answer to a condition; nil for an object whose properties are to be read one by one.
  func answer(to condition: FetchPredicate) throws -> Bool?
}

extension KeyedObject {
  public func setKeyedValue(_ value: Any?, _ name: String) throws {
    throw FetchPredicateError(
      .unsupported,
      "Objects of the type \(type(of: self)) take no values by keys, and \(name) was to be set.")
  }
  public func answer(to condition: FetchPredicate) throws -> Bool? { nil }
  public var _cVarArgEncoding: [Int] { "\(self)"._cVarArgEncoding }
}
