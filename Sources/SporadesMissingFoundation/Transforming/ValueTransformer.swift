// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

/// The name under which a transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name as text.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a name of a text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The transformer of a truth value into the other one.
  public static let negateBooleanTransformerName = Self("NSNegateBoolean")
  /// The transformer of a value into the answer whether it is nil.
  public static let isNilTransformerName = Self("NSIsNil")
  /// The transformer of a value into the answer whether it is there.
  public static let isNotNilTransformerName = Self("NSIsNotNil")
  /// The transformer of archives of any class into objects.
  public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
  /// The transformer of keyed archives of any class into objects.
  public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
  /// The transformer of keyed archives of some classes into objects.
  public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}

/// Turns a value into another one, and perhaps back. A program subclasses it and registers an instance by name.
open class ValueTransformer: NSObject, MadeElsewhere {
  private static let registered = Guarded(Registry())

  /// The transformers, in the order in which they came.
  private struct Registry {
    var names: [NSValueTransformerName] = []
    var transformers: [NSValueTransformerName: ValueTransformer] = [:]

    init() {
      put(NegationTransformer(), .negateBooleanTransformerName)
      put(PresenceTransformer(ofNil: true), .isNilTransformerName)
      put(PresenceTransformer(ofNil: false), .isNotNilTransformerName)
      put(UnarchiveFromDataTransformer(), .unarchiveFromDataTransformerName)
      put(UnarchiveFromDataTransformer(), .keyedUnarchiveFromDataTransformerName)
      put(NSSecureUnarchiveFromDataTransformer(), .secureUnarchiveFromDataTransformerName)
    }

    mutating func put(_ transformer: ValueTransformer?, _ name: NSValueTransformerName) {
      let previous = transformers[name]
      transformers[name] = transformer
      switch (previous, transformer) {
      case (nil, .some): names.append(name)
      case (.some, nil): names.removeAll { $0 == name }
      default: break
      }
    }
  }

  /// Makes a transformer.
  public override init() { super.init() }

  /// Finds the transformer that is registered under a name; nil if none is.
  ///
  /// On Apple's platforms the name may also be that of a class, of which an instance is made. Linux makes no instances of
  /// classes by name: register one.
  public convenience init?(forName name: NSValueTransformerName) {
    guard let found = Self.registered.withLock({ $0.transformers[name] }) else { return nil }
    guard let own = found as? Self else {
      trap(
        "The transformer \(name.rawValue) is a \(type(of: found)) and no \(Self.self). Write ValueTransformer(forName:)."
      )
    }
    self.init(made: own)
  }

  /// Registers a transformer under a name, or removes the one that is there.
  open class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    registered.withLock { $0.put(transformer, name) }
  }

  /// The names of all transformers.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    registered.withLock { $0.names }
  }

  /// The class of the values that ``transformedValue(_:)`` makes.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether ``reverseTransformedValue(_:)`` has a meaning.
  open class func allowsReverseTransformation() -> Bool { false }

  /// Turns a value into another one. The base class gives the value itself.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Turns a value back. A transformer without this direction ends the program.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    trap(
      unless: type(of: self).allowsReverseTransformation(),
      "\(type(of: self)) transforms in one direction only; ask allowsReverseTransformation() first."
    )
    return transformedValue(value)
  }
}
