// SPDX-License-Identifier: MIT
import SporadesModel

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
  private static let known = Guarded<[AnyKeyPath: [String]]>([:])

  static func names<Root: ManagedObject>(
    of keyPath: PartialKeyPath<Root>
  ) throws(FetchPredicateError) -> [String] {
    if let names = known.withLock({ $0[keyPath] }) { return names }
    let search = KeyPathSearch(keyPath)
    guard let names = search.names(from: Root.propertyKeyPaths) else {
      throw refusal(of: keyPath, search)
    }
    known.withLock { $0[keyPath] = names }
    return names
  }

  /// The expression for a predicate. If the names can not be found, the expression makes the fetch
  /// fail.
  static func expression<Root: ManagedObject>(
    _ keyPath: PartialKeyPath<Root>
  ) -> FetchExpression {
    do { return .keyPath(try names(of: keyPath)) } catch { return .refused(error) }
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
    let place =
      start.isEmpty
      ? "A key path of \(Root.self) to a value of type \(value) begins with no stored property"
      : "A key path of \(Root.self) goes on behind \(start.joined(separator: ".")), to a value of "
        + "type \(value) that is no stored property"
    return FetchPredicateError(
      .notStored,
      "\(place), and no store can compute it. End the key path in a property that the model keeps, "
        + "keep the computed value in one, or fetch and compare in memory.")
  }
}

/// The search for one key path among those that can be built from stored properties.
struct KeyPathSearch {
  private let keyPath: AnyKeyPath
  private let hash: Int
  private let text: Substring
  private let shape: Substring

  init(_ keyPath: AnyKeyPath) {
    self.keyPath = keyPath
    hash = keyPath.hashValue
    text = KeyPathText.steps(of: keyPath)
    shape = KeyPathText.withoutAddresses(text)
  }

  /// The names along the key path; nil if it has a step that is no stored property.
  func names(from properties: [PropertyKeyPath]) -> [String]? {
    find(properties, text) {
      $0.text
    } reaching: { _ in
      true
    }
      ?? find(properties, shape) {
        KeyPathText.withoutAddresses($0.text)
      } reaching: {
        $0.hashValue == hash
      }
  }

  /// The way from one step of a key path to the next.
  private enum Joint: CaseIterable {
    case direct, chain, unwrap

    var text: String {
      switch self {
      case .direct: ""
      case .chain: "?"
      case .unwrap: "!"
      }
    }
  }

  private func find(
    _ properties: [PropertyKeyPath], _ rest: Substring, after path: AnyKeyPath? = nil,
    _ joint: Joint = .direct, _ text: (PropertyKeyPath) -> Substring,
    reaching isGoal: (AnyKeyPath) -> Bool
  ) -> [String]? {
    for property in properties {
      let step = text(property)
      guard rest.hasPrefix(step), let path = append(property, to: path, joint) else { continue }
      let rest = rest.dropFirst(step.count)
      // because an optional chain wraps its result, Swift prints one more mark for it
      if rest.isEmpty || rest == "?", isGoal(path) { return [property.name] }
      for next in Joint.allCases where rest.hasPrefix(next.text + ".") {
        let rest = rest.dropFirst(next.text.count)
        if let names = find(property.continuations, rest, after: path, next, text, reaching: isGoal)
        {
          return [property.name] + names
        }
      }
    }
    return nil
  }

  /// The key path with one more step. If Swift can not append the step, the path stays as it is and
  /// equals no other.
  private func append(
    _ property: PropertyKeyPath, to path: AnyKeyPath?, _ joint: Joint
  ) -> AnyKeyPath? {
    guard let path else { return property.direct }
    switch joint {
    case .direct:
      return path.appending(path: property.direct) ?? path.appending(path: property.chained())
    case .chain: return path.appending(path: property.chained())
    case .unwrap:
      return path.appending(path: property.unwrapping())?.appending(path: property.direct)
    }
  }

  /// The names of the stored properties that the key path begins with, for messages.
  func longestStart(in properties: [PropertyKeyPath]) -> [String] {
    func longest(_ properties: [PropertyKeyPath], _ rest: Substring) -> [String] {
      var best: [String] = []
      for property in properties {
        let step = property.text
        guard rest.hasPrefix(step) else { continue }
        let rest = rest.dropFirst(step.count)
        guard rest.isEmpty || "?!.".contains(rest.prefix(1)) else { continue }
        let names =
          [property.name] + longest(property.continuations, rest.drop { "?!".contains($0) })
        if names.count > best.count { best = names }
      }
      return best
    }
    return longest(properties, text)
  }
}
