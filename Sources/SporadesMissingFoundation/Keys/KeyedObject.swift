// SPDX-License-Identifier: MIT
public import SporadesModel

/// An object that predicates, sort descriptors and collections read by the names of its properties.
///
/// The module `CoreData` conforms managed objects and their ids. Dictionaries, texts and other objects need no conformance: the
/// reader finds their stored properties.
public protocol KeyedObject: CVarArg {
  /// The value of the property with a name. A name that no property has is an error.
  func keyedValue(_ name: String) throws -> Any?
  /// The value that stands for the object in a comparison; nil for an object that no predicate compares.
  var comparedAs: Value? { get }
  /// The object's own answer to a condition; nil for an object whose properties are to be read one by one.
  func answer(to condition: FetchPredicate) throws -> Bool?
}

extension KeyedObject {
  public func answer(to condition: FetchPredicate) throws -> Bool? { nil }
  public var _cVarArgEncoding: [Int] { "\(self)"._cVarArgEncoding }
}
