// SPDX-License-Identifier: MIT
public import Dispatch
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
public import SporadesModel
public import SporadesSQLite
public import SporadesStore

// Calls of the module SporadesXcode in a program that has not imported it. The compiler chooses these functions only there,
// and reports one sentence.

extension DALService {
  /// Refuses a model file without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "pass the classes as entities:, or add the product SporadesXcode to the target in Package.swift and import SporadesXcode for a model file"
  )
  public convenience init(
    sqlite name: String, classes: [ManagedObject.Type] = [], options: Options = Options(),
    storeOptions: SQLiteStoreOptions = SQLiteStoreOptions()
  ) { trap(refusal) }

  /// Refuses a file without a model of the program.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public convenience init(
    openingStoreAt url: URL, classes: [ManagedObject.Type] = [], options: Options = Options()
  ) { trap(refusal) }
}

extension DataStack {
  /// Refuses a file without a model of the program.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public convenience init(
    openingStoreAt url: URL, classes: [ManagedObject.Type] = [],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws { trap(refusal) }
}

extension SQLiteStore {
  /// Refuses a file without a model of the program.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public convenience init(
    openingStoreAt url: URL, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) { trap(refusal) }
}

extension ManagedObjectModel {
  /// Refuses a model file without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public init(contentsOf url: URL) throws { trap(refusal) }

  /// Refuses a model file without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public init(named name: String, in folders: [URL] = []) throws { trap(refusal) }

  /// Refuses model files without their module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public static func mergedModel(
    from folders: [URL] = [], forStoreMetadata metadata: [String: MetadataValue]
  ) throws -> ManagedObjectModel? { trap(refusal) }

  /// Refuses a model file without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public func write(to url: URL, replacing: Bool = false) throws { trap(refusal) }
}

extension MigrationStage {
  /// Refuses a mapping model without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public static func mapping(
    from source: any ModelVersion, to destination: any ModelVersion, label: String = "",
    _ mapping: Any, policies: [String: Any] = [:]
  ) -> MigrationStage { trap(refusal) }

  /// Refuses a mapping model without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public static func mapping(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    label: String = "", _ mapping: Any, policies: [String: Any] = [:]
  ) -> MigrationStage { trap(refusal) }
}
