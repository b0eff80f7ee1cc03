// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel
public import SporadesModelFiles

/// A closure of the program, in the form in which a mapping keeps it.
struct MappingClosure: Sendable {
  let body: @Sendable (ManagedObject, MigrationManager) throws -> MappingValue
}

extension PropertyMapping {
  /// Maps an attribute to what a closure computes from the object of the older version.
  public init(
    _ name: String,
    computing body: @escaping @Sendable (_ source: ManagedObject) throws -> (any ValueConvertible)?
  ) {
    let closure = MappingClosure { source, _ in .value(try body(source)?.value ?? .null) }
    self.init(name, .computed(MappingComputation(body: closure)))
  }

  /// Maps a relationship to the objects of the newer version that a closure finds through the manager.
  public init(
    _ name: String,
    relating body:
      @escaping @Sendable (
        _ source: ManagedObject, _ manager: MigrationManager
      ) throws -> [ManagedObject]
  ) {
    let closure = MappingClosure { source, manager in .objects(try body(source, manager)) }
    self.init(name, .computed(MappingComputation(body: closure)))
  }
}
