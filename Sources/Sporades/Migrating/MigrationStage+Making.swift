// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
public import SporadesSQLite

// The stages as they are written in a plan.
extension MigrationStage {
  /// A stage whose changes are inferred from the two versions.
  public static func lightweight(
    from source: some ModelVersion, to destination: some ModelVersion, label: String = ""
  ) -> MigrationStage {
    MigrationStage(label, Version(source), Version(destination))
  }

  /// A stage whose changes are inferred from the classes of the two versions.
  public static func lightweight(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    label: String = ""
  ) -> MigrationStage {
    MigrationStage(label, Version(source), Version(destination))
  }

  /// A stage whose changes are inferred, with code that runs after them on objects of the newer version.
  ///
  /// The objects are plain managed objects, whose values are read by name. A stage between schemas has their
  /// classes.
  public static func custom(
    from source: some ModelVersion, to destination: some ModelVersion, label: String = "",
    didMigrate: @escaping ContextWork
  ) -> MigrationStage {
    MigrationStage(
      label, Version(source), Version(destination),
      .custom { ContextCode(didMigrate: didMigrate) })
  }

  /// A stage whose changes are inferred, with code that runs before them on objects of the older version, and perhaps
  /// code that runs after them on objects of the newer one.
  // Disfavoured, so that a trailing closure is the code that runs after the changes.
  @_disfavoredOverload
  public static func custom(
    from source: some ModelVersion, to destination: some ModelVersion, label: String = "",
    willMigrate: ContextWork?, didMigrate: ContextWork? = nil
  ) -> MigrationStage {
    MigrationStage(
      label, Version(source), Version(destination),
      .custom { ContextCode(willMigrate: willMigrate, didMigrate: didMigrate) })
  }

  /// A stage whose changes are inferred, with code that runs after them on objects of the newer classes.
  public static func custom(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    label: String = "", didMigrate: @escaping ContextWork
  ) -> MigrationStage {
    MigrationStage(
      label, Version(source), Version(destination),
      .custom { ContextCode(didMigrate: didMigrate) })
  }

  /// A stage whose changes are inferred, with code that runs before them on objects of the older classes, and perhaps
  /// code that runs after them on objects of the newer ones.
  @_disfavoredOverload
  public static func custom(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    label: String = "", willMigrate: ContextWork?, didMigrate: ContextWork? = nil
  ) -> MigrationStage {
    MigrationStage(
      label, Version(source), Version(destination),
      .custom { ContextCode(willMigrate: willMigrate, didMigrate: didMigrate) })
  }

  /// A stage whose changes are inferred, with code that runs before them on objects of the older version and returns a value,
  /// and code that runs after them on objects of the newer one and gets that value.
  ///
  /// Objects of the older version end with their code. Their ids lead to the objects of the newer version by
  /// `object(_:migratedFrom:)` of the context.
  public static func custom<Carried: Sendable>(
    from source: some ModelVersion, to destination: some ModelVersion, label: String = "",
    willMigrate: @escaping @Sendable (ManagedObjectContext) throws -> Carried,
    didMigrate: @escaping @Sendable (ManagedObjectContext, Carried) throws -> Void
  ) -> MigrationStage {
    MigrationStage(
      label, Version(source), Version(destination), .custom { .carrying(willMigrate, didMigrate) })
  }

  /// A stage whose changes are inferred, with code that runs before them on objects of the older classes and returns a value,
  /// and code that runs after them on objects of the newer ones and gets that value.
  ///
  /// Objects of the older classes end with their code. Their ids lead to the objects of the newer ones by
  /// `object(_:migratedFrom:)` of the context.
  public static func custom<Carried: Sendable>(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    label: String = "",
    willMigrate: @escaping @Sendable (ManagedObjectContext) throws -> Carried,
    didMigrate: @escaping @Sendable (ManagedObjectContext, Carried) throws -> Void
  ) -> MigrationStage {
    MigrationStage(
      label, Version(source), Version(destination), .custom { .carrying(willMigrate, didMigrate) })
  }

  /// A stage whose changes are inferred, with code that computes values of the newer rows from the older ones. No
  /// object is made, so that the stage suits millions of rows.
  public static func rows(
    from source: some ModelVersion, to destination: some ModelVersion, label: String = "",
    _ work: [RowWork]
  ) -> MigrationStage {
    MigrationStage(label, Version(source), Version(destination), .rows(work))
  }

  /// A stage whose changes are inferred from the classes, with code that computes values of the newer rows from the
  /// older ones.
  public static func rows(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    label: String = "", _ work: [RowWork]
  ) -> MigrationStage {
    MigrationStage(label, Version(source), Version(destination), .rows(work))
  }
}

// Schemas with the labels of models. The compiler chooses these functions only where no other fits.
extension MigrationStage {
  /// Refuses schemas with the labels of models.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write the labels of schemas: .lightweight(fromVersion: V1.self, toVersion: V2.self)"
  )
  public static func lightweight(
    from source: any VersionedSchema.Type, to destination: any VersionedSchema.Type
  ) -> MigrationStage { trap("The compiler refuses this call.") }

  /// Refuses schemas with the labels of models.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write the labels of schemas: .custom(fromVersion: V1.self, toVersion: V2.self)"
  )
  public static func custom(
    from source: any VersionedSchema.Type, to destination: any VersionedSchema.Type,
    willMigrate: ContextWork? = nil, didMigrate: @escaping ContextWork
  ) -> MigrationStage { trap("The compiler refuses this call.") }
}

extension MigrationStage.ContextCode {
  /// Code that hands a value from before the changes to after them.
  fileprivate static func carrying<Carried: Sendable>(
    _ willMigrate: @escaping @Sendable (ManagedObjectContext) throws -> Carried,
    _ didMigrate: @escaping @Sendable (ManagedObjectContext, Carried) throws -> Void
  ) -> Self {
    let carried = Guarded<Carried?>(nil)
    return Self(
      willMigrate: { context in
        let value = try willMigrate(context)
        carried.withLock { $0 = value }
      },
      didMigrate: { context in
        guard let value = carried.withLock({ $0 }) else {
          trap(
            "A stage's code before the changes runs first; report this to Sporades.")
        }
        try didMigrate(context, value)
      })
  }
}
