// SPDX-License-Identifier: MIT
import SporadesModel

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

  /// The properties along the key path; nil if it has a step that is none.
  func steps(from properties: [PropertyKeyPath]) -> [PropertyKeyPath]? {
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
  ) -> [PropertyKeyPath]? {
    for property in properties {
      let step = text(property)
      guard rest.hasPrefix(step), let path = append(property, to: path, joint) else { continue }
      let rest = rest.dropFirst(step.count)
      // because an optional chain wraps its result, Swift prints one more mark for it
      if rest.isEmpty || rest == "?", isGoal(path) { return [property] }
      if rest == Joint.unwrap.text, let value = path.unwrapped, isGoal(value) { return [property] }
      for next in Joint.allCases where rest.hasPrefix(next.text + ".") {
        let rest = rest.dropFirst(next.text.count)
        if let steps = find(property.continuations, rest, after: path, next, text, reaching: isGoal)
        {
          return [property] + steps
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

  /// The stored properties that the key path begins with, for messages.
  func longestStart(in properties: [PropertyKeyPath]) -> [PropertyKeyPath] {
    func longest(_ properties: [PropertyKeyPath], _ rest: Substring) -> [PropertyKeyPath] {
      var best: [PropertyKeyPath] = []
      for property in properties where property.member == nil {
        let step = property.text
        guard rest.hasPrefix(step) else { continue }
        let rest = rest.dropFirst(step.count)
        guard rest.isEmpty || "?!.".contains(rest.prefix(1)) else { continue }
        let steps = [property] + longest(property.continuations, rest.drop { "?!".contains($0) })
        if steps.count > best.count { best = steps }
      }
      return best
    }
    return longest(properties, text)
  }
}

extension AnyKeyPath {
  /// The key path with `!` behind it; nil if it does not lead to an optional.
  fileprivate var unwrapped: AnyKeyPath? {
    (type(of: self).valueType as? any OptionalType.Type).flatMap { appending(path: $0.unwrapping) }
  }
}
