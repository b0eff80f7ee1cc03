// SPDX-License-Identifier: MIT
public import SporadesModel

/// No two objects agree on all the named properties.
@freestanding(declaration)
public macro Unique(_ properties: String...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// No two objects agree on all properties of one group: `#Unique<User>([\.firstname, \.lastname])`.
@freestanding(declaration)
public macro Unique<Object>(_ groups: [PartialKeyPath<Object>]...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// The store keeps an index over the named properties, called `byFirstnameLastname` unless a name
/// is given.
@freestanding(declaration)
public macro Index(name: String? = nil, _ properties: String...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// The store keeps an index over each group of properties: `#Index<User>([\.lastname], [\.age])`.
@freestanding(declaration)
public macro Index<Object>(_ groups: [PartialKeyPath<Object>]...) =
  #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")

/// The store keeps an index whose elements say their direction or kind, over all rows or those
/// that satisfy a predicate.
@freestanding(declaration)
public macro Index(
  name: String, elements: [FetchIndexDescription.Element], where predicate: FetchPredicate? = nil
) = #externalMacro(module: "SporadesPlugin", type: "PropertyListMacro")
