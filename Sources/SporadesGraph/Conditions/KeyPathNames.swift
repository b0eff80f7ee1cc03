// SPDX-License-Identifier: MIT
package import SporadesModel

/// A key path as a fetch takes it: the names of stored properties, and what a predicate computes of
/// the last one.
struct FetchedPath {
  let names: [String]
  /// The last step, if it is no stored property; nil if it is one.
  let member: PropertyMember?
}

/// Finds the names of the properties that a key path leads through. It refuses a key path with any
/// other step, such as a member of a value or a computed property.
///
/// The search builds key paths step by step from those that classes and composites list, and
/// compares them with the given one. Two key paths are the same in one of two cases:
///
/// 1. Their hashes are equal. Equality itself does not work, because Swift sets a mark in appended
///    key paths and not in literals; the hash covers the steps without the mark.
/// 2. Swift prints the same text for both, addresses of getters included. This covers steps that
///    can not be appended, because Swift wraps the result of an optional chain after each part, and
///    literals that see no setter. Two properties never share a getter.
enum KeyPathNames {
  private static let known = Guarded<[AnyKeyPath: FetchedPath]>([:])

  /// The names of a key path to a stored property.
  static func names<Root: ManagedObject>(
    of keyPath: PartialKeyPath<Root>
  ) throws(FetchPredicateError) -> [String] {
    let path = try path(of: keyPath)
    guard path.member == nil else { throw refusal(of: keyPath, path) }
    return path.names
  }

  /// The names of a key path that a predicate compares. It may end in the number of objects, in
  /// `isEmpty`, or in the object itself.
  static func path<Root: ManagedObject>(
    of keyPath: PartialKeyPath<Root>
  ) throws(FetchPredicateError) -> FetchedPath {
    if let path = known.withLock({ $0[keyPath] }) { return path }
    let path = try find(keyPath)
    known.withLock { $0[keyPath] = path }
    return path
  }

  private static func find<Root: ManagedObject>(
    _ keyPath: PartialKeyPath<Root>
  ) throws(FetchPredicateError) -> FetchedPath {
    if keyPath == \Root.self { return FetchedPath(names: [], member: .id) }
    let search = KeyPathSearch(keyPath)
    guard let steps = search.steps(from: Root.propertyKeyPaths + [Root.idKeyPath]) else {
      throw refusal(of: keyPath, search)
    }
    let names = steps.filter { $0.member == nil }.map(\.name)
    let path = FetchedPath(names: names, member: steps.last?.member)
    if let member = path.member, member != .id, isOptional(keyPath) {
      throw refusalBehindOptional(keyPath, names.joined(separator: "."))
    }
    return path
  }

  private static func refusal<Root: ManagedObject>(
    of keyPath: PartialKeyPath<Root>, _ path: FetchedPath
  ) -> FetchPredicateError {
    let name = path.names.joined(separator: ".")
    let remedy =
      switch path.member {
      case .count: "Keep the number in a derived attribute, @Derived(\"\(name).@count\")."
      default: "Use it in a predicate, or name a property that the model keeps."
      }
    let place =
      name.isEmpty
      ? "leads to the object itself" : "goes on behind \(name), to \(path.member?.word ?? "")"
    return FetchPredicateError(
      .notStored, "A key path of \(Root.self) \(place), which no attribute holds. \(remedy)")
  }

  private static func isOptional(_ keyPath: AnyKeyPath) -> Bool {
    type(of: keyPath).valueType is any OptionalType.Type
  }

  private static func refusalBehindOptional<Root: ManagedObject>(
    _ keyPath: PartialKeyPath<Root>, _ name: String
  ) -> FetchPredicateError {
    FetchPredicateError(
      .notStored,
      "A key path of \(Root.self) reads a member of \(name) behind an optional, where it may be nil. "
        + "Write ! instead of ?.")
  }

  private static func refusal<Root: ManagedObject>(
    of keyPath: PartialKeyPath<Root>, _ search: KeyPathSearch
  ) -> FetchPredicateError {
    let properties = Root.propertyKeyPaths
    guard !properties.isEmpty else {
      return FetchPredicateError(
        .notStored,
        "\(Root.self) lists no key paths, so a fetch can not use any. Put @Entity before the class, "
          + "override propertyKeyPaths, or write the key path as text.")
    }
    let value = type(of: keyPath).valueType
    let start = search.longestStart(in: properties)
    let name = start.map(\.name).joined(separator: ".")
    let isMember = value is Int?.Type || value is Bool?.Type
    if isMember, start.last?.continuations.contains(where: { $0.member == .isEmpty }) == true {
      return refusalBehindOptional(keyPath, name)
    }
    if let last = start.last, last.isEnum {
      return FetchPredicateError(
        .notStored,
        "A key path of \(Root.self) goes on behind \(name), to a value of type \(value) that is no "
          + "stored property. \(name) is an enum, so compare it with a case: \\.\(name) == .someCase."
      )
    }
    let place =
      start.isEmpty
      ? "A key path of \(Root.self) to a value of type \(value) begins with no stored property"
      : "A key path of \(Root.self) goes on behind \(name), to a value of "
        + "type \(value) that is no stored property"
    return FetchPredicateError(
      .notStored,
      "\(place), and no store can compute it.\(start.isEmpty ? kept(properties, value, Root.self) : "") End the key path "
        + "in a property that the model keeps, keep the computed value in one, or fetch and compare in memory."
    )
  }

  /// The sentence that tells which properties of a type are stored. A key path to another one does not know its name.
  private static func kept(
    _ properties: [PropertyKeyPath], _ value: Any.Type, _ root: Any.Type
  ) -> String {
    let names = properties.filter { Swift.type(of: $0.direct).valueType == value }.map(\.name)
    guard !names.isEmpty else { return " \(root) keeps no property of this type." }
    return " Of this type \(root) keeps \(names.sorted().joined(separator: ", "))."
  }
}

extension PartialKeyPath where Root: ManagedObject {
  /// The names of the stored properties that the key path leads through.
  package func storedNames() throws(FetchPredicateError) -> [String] {
    try KeyPathNames.names(of: self)
  }

  /// The names of the stored properties that the key path leads through. A key path may also end in an object's id, or in
  /// the object itself.
  package func columnNames() throws(FetchPredicateError) -> [String] {
    let path = try KeyPathNames.path(of: self)
    return path.member == .id ? path.names : try KeyPathNames.names(of: self)
  }
}
