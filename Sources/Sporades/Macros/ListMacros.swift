// SPDX-License-Identifier: MIT
public import SporadesModel

/// Forbids two objects with the same values in all the named properties.
@freestanding(declaration)
public macro Unique(_ properties: String...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// Forbids two objects with the same values in all the properties: `#Unique<User>(\.firstname, \.lastname)`.
@freestanding(declaration)
public macro Unique<Object>(_ properties: PartialKeyPath<Object>...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// Forbids two objects with the same values in all properties of a group:
/// `#Unique<User>([\.firstname, \.lastname])`.
@freestanding(declaration)
public macro Unique<Object>(_ groups: [PartialKeyPath<Object>]...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// Declares an index over the named properties. Its name is like `byFirstnameLastname` unless you pass one.
@freestanding(declaration)
public macro Index(name: String? = nil, _ properties: String...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// Declares an index over the properties: `#Index<User>(\.lastname, \.age)`.
@freestanding(declaration)
public macro Index<Object>(_ properties: PartialKeyPath<Object>...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// Declares an index over each group of properties: `#Index<User>([\.lastname], [\.age])`.
@freestanding(declaration)
public macro Index<Object>(_ groups: [PartialKeyPath<Object>]...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// Declares an index whose elements have a direction or a kind. With a predicate, the index holds only the rows
/// that satisfy it.
@freestanding(declaration)
public macro Index(
  name: String, elements: [FetchIndexDescription.Element], where predicate: FetchPredicate? = nil
) = #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")
