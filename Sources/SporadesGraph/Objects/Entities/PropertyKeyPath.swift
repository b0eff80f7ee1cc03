// SPDX-License-Identifier: MIT

/// A stored property's name in the model, with the key paths to it.
///
/// The `@Entity` and `@Composite` macros list one for each property. Swift can not take a key path
/// apart, so a fetch recognises a key path by building the same one from the listed ones.
public struct PropertyKeyPath {
  let name: String
  /// The value that a predicate computes of the property before; nil for a stored property.
  let member: PropertyMember?
  /// `\User.name`
  let direct: AnyKeyPath
  /// `\User?.?.name`. It is built on demand, because few properties are reached through an
  /// optional.
  let chained: () -> AnyKeyPath
  /// `\User?.!`
  let unwrapping: () -> AnyKeyPath

  /// Lists a property. The macros write the call.
  public init<Root, V>(
    _ name: String, _ direct: KeyPath<Root, V>,
    _ chained: @escaping @autoclosure () -> PartialKeyPath<Root?>
  ) {
    self.init(name, direct, chained, member: nil)
  }

  /// Lists a member of a property that a predicate computes.
  init<Root, V>(
    _ member: PropertyMember, _ direct: KeyPath<Root, V>,
    _ chained: @escaping @autoclosure () -> PartialKeyPath<Root?>
  ) {
    self.init(member.word, direct, chained, member: member)
  }

  private init<Root, V>(
    _ name: String, _ direct: KeyPath<Root, V>, _ chained: @escaping () -> PartialKeyPath<Root?>,
    member: PropertyMember?
  ) {
    self.name = name
    self.member = member
    self.direct = direct
    self.chained = { chained() }
    unwrapping = { \Root?.! }
  }

  /// The text that Swift prints for the step: the name of a stored member, or the address and type
  /// of a getter.
  var text: Substring { KeyPathText.steps(of: direct) }

  /// The properties and members behind the key path; empty if it leads to a plain value.
  var continuations: [PropertyKeyPath] {
    let value = unwrapped(type(of: direct).valueType)
    if let entity = value as? any IdentifiedObject.Type {
      return entity.propertyKeyPaths + [entity.idKeyPath]
    }
    if let composite = value as? any CompositeAttribute.Type { return composite.elementKeyPaths }
    if let counted = value as? any CountedProperty.Type { return counted.memberKeyPaths }
    return []
  }

  /// The property holds an enum with raw values.
  var isEnum: Bool { unwrapped(type(of: direct).valueType) is any RawRepresentable.Type }
}

/// The text that Swift prints for key paths.
enum KeyPathText {
  /// The steps behind the root: `.<computed 0x5d0 (Optional<User>)>?.city`.
  static func steps(of keyPath: AnyKeyPath) -> Substring {
    let root = "\\\(type(of: keyPath).rootType)"
    return keyPath.debugDescription.dropFirst(root.count)
  }

  /// The text without the addresses of getters, because several getters can stand for one property.
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
