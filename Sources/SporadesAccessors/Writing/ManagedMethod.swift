// SPDX-License-Identifier: MIT

/// Finds the name of a property in that of a method or of a primitive property.
enum PropertyKeys {
  /// What stands behind the word, if it begins with no small letter.
  static func rest(of name: String, behind word: String) -> Substring? {
    guard name.hasPrefix(word) else { return nil }
    let rest = name.dropFirst(word.count)
    guard let first = rest.first, !first.isLowercase else { return nil }
    return rest
  }

  /// The name of the property: with a small first letter, unless only the other one is known.
  static func key(_ rest: Substring, known: Set<String>) -> String {
    let small = rest.prefix(1).lowercased() + rest.dropFirst()
    return !known.contains(small) && known.contains(String(rest)) ? String(rest) : small
  }
}

/// A method for a relationship to many objects, told by its name and its labels.
struct ManagedMethod {
  /// The name of the relationship.
  let key: String
  /// The code of the method, whose parameters are `value0` and `value1`.
  let code: String
  /// The method takes places, which only ordered relationships have.
  let needsOrder: Bool

  /// The forms that Xcode writes: the word, the labels, the function of `CoreData` and the labels of that.
  private static let forms: [(word: String, labels: [String?], call: String, passed: [String])] = [
    ("addTo", [nil], "_addManaged", [""]),
    ("removeFrom", [nil], "_removeManaged", [""]),
    ("insertInto", [nil, "at"], "_insertManaged", ["", "at: "]),
    ("removeFrom", ["at"], "_removeManaged", ["at: "]),
    ("replace", ["at", "with"], "_replaceManaged", ["at: ", "with: "]),
    // Older generators wrote `addTagsObject(_:)` and `addTags(_:)`.
    ("add", [nil], "_addManaged", [""]),
    ("remove", [nil], "_removeManaged", [""]),
  ]

  init(
    _ name: String, _ parameters: [ManagedMember.Parameter], _ types: [ResolvedType],
    known: Set<String>
  ) throws(TypeFailure) {
    let labels = parameters.map(\.label)
    for form in Self.forms where form.labels == labels {
      guard var rest = PropertyKeys.rest(of: name, behind: form.word) else { continue }
      guard zip(labels, types).allSatisfy({ Self.takes($0, $1) }) else { continue }
      if ["add", "remove"].contains(form.word), rest.hasSuffix("Object") {
        rest = rest.dropLast("Object".count)
      }
      guard !rest.isEmpty else { continue }
      key = PropertyKeys.key(rest, known: known)
      let values = form.passed.enumerated().map { "\($1)value\($0)" }
      code = "\(form.call)(\(([SwiftNames.literal(key)] + values).joined(separator: ", ")))"
      needsOrder = labels.contains("at")
      return
    }
    throw TypeFailure(
      problem: "No method that Core Data makes has this name, these labels and these types.",
      remedy: "Write addToX(_:), removeFromX(_:), insertIntoX(_:at:), removeFromX(at:) or "
        + "replaceX(at:with:), or a method with a body.")
  }

  /// Whether a parameter can have the type: a place for the label `at`, and objects for others.
  private static func takes(_ label: String?, _ type: ResolvedType) -> Bool {
    guard case .nominal(let nominal, _) = type else { return false }
    let name = nominal.path.joined(separator: ".")
    if label == "at" { return ["Int", "NSIndexSet", "IndexSet"].contains(name) }
    return nominal.kind == .class || ["Set", "Array"].contains(name)
  }
}
