// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

/// Which key of a record becomes which property of an object, and how.
///
/// Without a word about a property, its key is its name, or its name in snake case (`first_name`). The notes that
/// MagicalRecord reads from a model count, too: `mappedKeyName`, `mappedKeyName.1` and so on, `relatedByAttribute`,
/// `dateFormat` and `useDefaultValueWhenNotPresent`.
///
/// ```swift
/// let mapping = ImportMapping<User>()
///   .key("user_name", to: \.name)
///   .key("born", to: \.birthday, dates: .pattern("dd.MM.yyyy"))
///   .related(\.team, by: "code", missing: .make)
/// ```
public struct ImportMapping<Object: ManagedObject>: Sendable {
  var rules = MappingRules()

  /// Makes the usual mapping.
  public init() {}

  // MARK: - Keys

  /// Takes a property from a key or a key path: `"address.city"`. Of several keys, the first that a record has counts; a
  /// further call for the property adds keys behind these.
  public func key(
    _ keys: String..., to keyPath: PartialKeyPath<Object>, dates: ImportDateFormat? = nil
  ) -> Self { changing(keyPath) { $0.take(keys, dates: dates) } }

  /// Takes a property with a name from a key or a key path, for entities without a class.
  public func key(_ keys: String..., to name: String, dates: ImportDateFormat? = nil) -> Self {
    changing(name) { $0.take(keys, dates: dates) }
  }

  /// Takes a property from a key, and changes the value on its way. An error that the closure throws refuses the row.
  ///
  /// For a relationship the closure makes the key of an object, or a list of keys:
  /// `.key("Clubs", to: \.clubs) { $0.string?.split(separator: ";").map(String.init) }`. It gets the whole value, also an
  /// array. An import that refuses rows repeats others, so the closure can run more than once for a value.
  ///
  /// An export needs the way back, `writing`: the closure gets what the first one makes, and makes the value of the file.
  /// `.key("Clubs", to: \.clubs) { … } writing: { .text(($0 ?? []).joined(separator: ";")) }`. Without it, an export of the
  /// property is refused. A property without a value is written as null, unless the closure takes an optional.
  public func key<Output: ValueConvertible & SendableMetatype>(
    _ keys: String..., to keyPath: PartialKeyPath<Object>,
    transform: @escaping @Sendable (ImportValue) throws -> Output,
    writing inverse: (@Sendable (Output) throws -> ImportValue)? = nil
  ) -> Self {
    var way: (@Sendable (Value) throws -> ImportValue)?
    if let inverse { way = { value in try value.written(by: inverse) } }
    return changing(keyPath) { rule in
      rule.take(keys, transform: { ImportValue(try transform($0)) }, inverse: way)
    }
  }

  /// Leaves properties as they are, whatever a record says. A composite attribute stands for all its members; properties of
  /// other objects are left out in their ``nested(_:_:)`` mapping.
  public func ignoring(_ keyPaths: PartialKeyPath<Object>...) -> Self {
    keyPaths.reduce(self) { mapping, keyPath in
      mapping.naming(keyPath) { rules, name in rules.ignored.insert(name) }
    }
  }

  /// Sets only the properties that the mapping names.
  public func onlyNamed() -> Self {
    var copy = self
    copy.rules.isComplete = true
    return copy
  }

  /// The format of all dates that have no other one.
  public func dates(_ format: ImportDateFormat) -> Self {
    var copy = self
    copy.rules.dates = format
    return copy
  }

  // MARK: - Relationships

  /// Finds the objects of a relationship by attributes, instead of by the usual key of their entity.
  public func related(
    _ keyPath: PartialKeyPath<Object>, by attributes: String..., missing: MissingTargetRule? = nil
  ) -> Self {
    changing(keyPath) {
      $0.relatedBy = attributes
      $0.missing = missing ?? $0.missing
    }
  }

  /// Finds the objects of a relationship with a name by attributes, for entities without a class.
  public func related(
    _ name: String, by attributes: String..., missing: MissingTargetRule? = nil
  ) -> Self {
    changing(name) {
      $0.relatedBy = attributes
      $0.missing = missing ?? $0.missing
    }
  }

  /// The treatment of keys of a relationship that belong to no object.
  public func related(
    _ keyPath: PartialKeyPath<Object>, missing: MissingTargetRule
  ) -> Self { changing(keyPath) { $0.missing = missing } }

  /// The fate of members of a to-many relationship that the incoming list does not have.
  public func members(of keyPath: PartialKeyPath<Object>, _ rule: ToManyRule) -> Self {
    changing(keyPath) { $0.toMany = rule }
  }

  /// Maps the records that stand inside a record as the objects of a relationship.
  public func nested<Destination: ManagedObject>(
    _ keyPath: PartialKeyPath<Object>, _ mapping: ImportMapping<Destination>
  ) -> Self {
    changing(keyPath) { $0.nested = mapping.rules }
  }

  // MARK: - Changes

  private func changing(
    _ keyPath: PartialKeyPath<Object>, _ change: (inout FieldRule) -> Void
  ) -> Self { naming(keyPath) { rules, name in change(&rules.fields[name, default: FieldRule()]) } }

  private func changing(_ name: String, _ change: (inout FieldRule) -> Void) -> Self {
    var copy = self
    change(&copy.rules.fields[name, default: FieldRule()])
    return copy
  }

  /// A copy with a change that needs the name of a property. A key path without one is the mapping's mistake.
  private func naming(
    _ keyPath: PartialKeyPath<Object>, _ change: (inout MappingRules, String) -> Void
  ) -> Self {
    var copy = self
    do throws(FetchPredicateError) {
      change(&copy.rules, try keyPath.storedNames().joined(separator: "."))
    } catch {
      copy.rules.mistake = copy.rules.mistake ?? error.description
    }
    return copy
  }
}
