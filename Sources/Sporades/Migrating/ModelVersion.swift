// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

/// A version of a model: the model itself, or a reference that reads it when it is needed.
public protocol ModelVersion: Sendable {
  /// The version as a reference.
  var reference: ManagedObjectModelReference { get }
}

extension ManagedObjectModel: ModelVersion {
  /// A reference to the model itself.
  public var reference: ManagedObjectModelReference {
    ManagedObjectModelReference(model: self, versionChecksum: versionChecksum)
  }
}

extension ManagedObjectModelReference: ModelVersion {
  /// The reference itself.
  public var reference: ManagedObjectModelReference { self }
}

/// A version of a model that is declared by classes, as in SwiftData.
///
/// ```swift
/// enum PetsV1: VersionedSchema {
///   @Entity final class Pet: ManagedObject {
///     var name: String = ""
///   }
///   static var entities: [ManagedObject.Type] { [Pet.self] }
/// }
/// ```
public protocol VersionedSchema {
  /// The classes of the version.
  static var entities: [ManagedObject.Type] { get }
}

extension VersionedSchema {
  /// The model that the classes of the version declare.
  public static var model: ManagedObjectModel {
    get throws(ModelError) { try ManagedObjectModel(entities) }
  }
}

/// The versions of a model and the stages between them, as in SwiftData.
public protocol SchemaMigrationPlan {
  /// The stages between the versions, the oldest first.
  static var stages: [MigrationStage] { get }
}
