// SPDX-License-Identifier: MIT
public import Foundation

/// A part of the way from older versions of a model to the newest.
open class NSMigrationStage: NSObject {
  /// The name of the stage in errors.
  public var label: String?

  public override init() { super.init() }
}

/// Versions of a model between which all changes are inferred.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, the oldest first.
  public let versionChecksums: [String]

  /// Makes a stage of versions, the oldest first.
  public init(_ versionChecksums: [String]) {
    self.versionChecksums = versionChecksums
    super.init()
  }
}

/// A step from one version of a model to the next, with code of the program before and after.
open class NSCustomMigrationStage: NSMigrationStage {
  /// The older version.
  public let currentModel: NSManagedObjectModelReference
  /// The newer version.
  public let nextModel: NSManagedObjectModelReference
  /// Works on the objects of the older version.
  public var willMigrateHandler:
    ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Works on the objects of the newer version.
  public var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Makes a stage between two versions.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}
