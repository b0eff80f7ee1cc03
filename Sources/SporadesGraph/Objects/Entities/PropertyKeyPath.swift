// SPDX-License-Identifier: MIT

/// A stored property's name in the model, and the key paths that lead to it.
///
/// The `@Entity` and `@Composite` macros list one for each property. Swift's key paths can not be taken
/// apart, so a fetch knows a key path only by making the same one again of those listed.
public struct PropertyKeyPath {
  let name: String
  /// `\User.name`
  let direct: AnyKeyPath
  /// `\User?.?.name`, made when it is first needed: most properties are never reached so.
  let chained: () -> AnyKeyPath
  /// `\User?.!`
  let unwrapping: () -> AnyKeyPath

  public init<Root, V>(
    _ name: String, _ direct: KeyPath<Root, V>,
    _ chained: @escaping @autoclosure () -> PartialKeyPath<Root?>
  ) {
    self.name = name
    self.direct = direct
    self.chained = { chained() }
    unwrapping = { \Root?.! }
  }

  /// What Swift prints for the step alone: a stored member's name, or a getter's address and type.
  var text: Substring { KeyPathText.steps(of: direct) }

  /// The properties of what the key path leads to; none where it leads to a plain value.
  var continuations: [PropertyKeyPath] {
    let value = unwrapped(type(of: direct).valueType)
    if let entity = value as? ManagedObject.Type { return entity.propertyKeyPaths }
    if let composite = value as? any CompositeAttribute.Type { return composite.elementKeyPaths }
    return []
  }
}

/// What Swift prints for key paths.
enum KeyPathText {
  /// The steps behind the root: `.<computed 0x5d0 (Optional<User>)>?.city`.
  static func steps(of keyPath: AnyKeyPath) -> Substring {
    let root = "\\\(type(of: keyPath).rootType)"
    return keyPath.debugDescription.dropFirst(root.count)
  }

  /// The text without the addresses of getters: several getters can stand for one property.
  static func withoutAddresses(_ text: Substring) -> Substring {
    var parts = text.components(separatedBy: "<computed 0x")
    for index in parts.indices.dropFirst() {
      parts[index] = parts[index].drop { $0.isHexDigit }
    }
    return Substring(parts.joined(separator: "<computed"))
  }
}

extension Substring {
  fileprivate func components(separatedBy mark: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self
    while let range = rest.firstRange(of: mark) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
