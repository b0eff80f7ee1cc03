// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// A function by which objects enter or leave a to-many relationship.
struct RelationshipMethod {
  /// The name in Objective-C.
  let selector: String
  /// The name and the parameters in Swift.
  let signature: String
  /// The function of the module `CoreData` that does it, and what it gets behind the name of the relationship.
  let call: (function: String, arguments: String)

  /// Takes the function's names, and what it calls.
  init(_ selector: String, _ signature: String, _ function: String, _ arguments: String) {
    (self.selector, self.signature) = (selector, signature)
    call = (function, arguments)
  }
}

extension ManagedForm {
  /// The functions of a relationship as Xcode writes them; none for one that is to-one, left out or only read.
  func methods(for relationship: RelationshipDescription) -> [RelationshipMethod] {
    let notes = options.notes
    guard relationship.isToMany, !notes.ignores(relationship.userInfo),
      !notes.isReadOnly(relationship.userInfo)
    else { return [] }
    let (name, member) = (relationship.name.capitalizedFirst, destination(of: relationship))
    let set = shown((collection(of: relationship), "Foundation"))
    return (relationship.isOrdered ? orderedMethods(name, member) : []) + [
      .init("add\(name)Object:", "addTo\(name)(_ value: \(member))", "_addManaged", "value"),
      .init(
        "remove\(name)Object:", "removeFrom\(name)(_ value: \(member))", "_removeManaged", "value"),
      .init("add\(name):", "addTo\(name)(_ values: \(set))", "_addManaged", "values"),
      .init("remove\(name):", "removeFrom\(name)(_ values: \(set))", "_removeManaged", "values"),
    ]
  }

  private func orderedMethods(_ name: String, _ member: String) -> [RelationshipMethod] {
    let indexes = shown(("NSIndexSet", "Foundation"))
    return [
      .init(
        "insertObject:in\(name)AtIndex:", "insertInto\(name)(_ value: \(member), at idx: Int)",
        "_insertManaged", "value, at: idx"),
      .init(
        "removeObjectFrom\(name)AtIndex:", "removeFrom\(name)(at idx: Int)", "_removeManaged",
        "at: idx"),
      .init(
        "insert\(name):atIndexes:",
        "insertInto\(name)(_ values: [\(member)], at indexes: \(indexes))", "_insertManaged",
        "values, at: indexes"),
      .init(
        "remove\(name)AtIndexes:", "removeFrom\(name)(at indexes: \(indexes))", "_removeManaged",
        "at: indexes"),
      .init(
        "replaceObjectIn\(name)AtIndex:withObject:",
        "replace\(name)(at idx: Int, with value: \(member))", "_replaceManaged",
        "at: idx, with: value"),
      .init(
        "replace\(name)AtIndexes:with\(name):",
        "replace\(name)(at indexes: \(indexes), with values: [\(member)])", "_replaceManaged",
        "at: indexes, with: values"),
    ]
  }

  /// The extension with the functions of a relationship; empty for none.
  func accessors(for relationship: RelationshipDescription, of type: String) -> String {
    let texts = methods(for: relationship).map {
      "  " + Self.objectiveC("@objc(\($0.selector))", indent: "  ")
        + "@NSManaged public func \($0.signature)\n"
    }
    guard !texts.isEmpty else { return "" }
    return """

      // The accessors for \(relationship.name).
      extension \(type) {
      \(texts.joined(separator: "\n"))}

      """
  }
}
