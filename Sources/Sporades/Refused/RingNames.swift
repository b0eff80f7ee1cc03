// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesGraph
public import SporadesModel
public import SporadesSQLite

// Types of products that a program has not imported. Where it has, the compiler prefers the real ones. Initializers and
// functions take what those of the products take, so that the compiler gets as far as the refused type.

/// Refuses containers without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesContainers to the target in Package.swift, and import SporadesContainers"
)
public class PersistentContainer {
  public init(
    name: String, managedObjectModel: ManagedObjectModel, classes: [ManagedObject.Type] = []
  ) { trap(refusal) }
  public init(name: String, entities: [ManagedObject.Type]) { trap(refusal) }
  public init(name: String, classes: [ManagedObject.Type] = []) { trap(refusal) }
  public init(openingStoreAt url: URL, classes: [ManagedObject.Type] = []) { trap(refusal) }
}

/// Refuses coordinators without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesContainers to the target in Package.swift, and import SporadesContainers"
)
public class PersistentStoreCoordinator {
  public init(model: ManagedObjectModel) { trap(refusal) }
}

/// Refuses descriptions without their module.
@available(
  *, unavailable,
  message:
    "add the product SporadesContainers to the target in Package.swift, and import SporadesContainers"
)
public struct PersistentStoreDescription {
  public init(url: URL) { trap(refusal) }
}

/// Refuses controllers without their module.
@available(
  *, unavailable,
  message: "add the product SporadesLive to the target in Package.swift, and import SporadesLive"
)
public class FetchedResultsController<Object: ManagedObject> {
  public init(
    _ request: FetchRequest, in context: ManagedObjectContext, sectionNameKeyPath: String? = nil,
    cacheName: String? = nil
  ) { trap(refusal) }
  public init(
    _ request: TypedRequest<Object>, in context: ManagedObjectContext,
    sectionNameKeyPath: String? = nil, cacheName: String? = nil
  ) { trap(refusal) }
  public init<V>(
    _ request: TypedRequest<Object>, in context: ManagedObjectContext,
    sections: KeyPath<Object, V>, cacheName: String? = nil
  ) { trap(refusal) }
}

/// Refuses observed objects without their module.
@available(
  *, unavailable,
  message: "add the product SporadesLive to the target in Package.swift, and import SporadesLive"
)
public enum ObservedObject<Object> {}

/// Refuses model files without their module.
@available(
  *, unavailable,
  message: "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
)
public enum ModelFile {
  public static func read(_ url: URL) -> Never { trap(refusal) }
  public static func versions(at url: URL) -> [Never] { trap(refusal) }
  public static func checksums(at url: URL) -> [String: String] { trap(refusal) }
}

/// Refuses models of files without their module.
@available(
  *, unavailable,
  message: "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
)
public struct StoreModel {
  public init(ofStoreAt url: URL) { trap(refusal) }
  public var model: ManagedObjectModel { trap(refusal) }
  public var warnings: [ModelWarning] { trap(refusal) }
  public var isReadOnly: Bool { trap(refusal) }
}

/// Refuses migrations through model files without their module.
@available(
  *, unavailable,
  message: "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
)
public final class ModelFileMigration: StoreMigrationPlan {
  public init(contentsOf url: URL, mappingModelsIn folders: [URL] = []) { trap(refusal) }
  public init(modelNamed name: String, in folders: [URL] = []) { trap(refusal) }
  public func migrate(
    storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) { trap(refusal) }
  public func forecast(
    forStoreAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) -> MigrationForecast { trap(refusal) }
  public func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String] { trap(refusal) }
}

/// Refuses mapping models without their module.
@available(
  *, unavailable,
  message: "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
)
public struct MappingModel {
  public init(_ entityMappings: [EntityMapping]) { trap(refusal) }
  public init(contentsOf url: URL) { trap(refusal) }
}

/// Refuses mapping models without their module.
@available(
  *, unavailable,
  message: "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
)
public struct EntityMapping {}

/// Refuses policies of mapping models without their module.
@available(
  *, unavailable,
  message: "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
)
open class EntityMigrationPolicy {}

/// Refuses managers of mapping models without their module.
@available(
  *, unavailable,
  message: "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
)
open class MigrationManager {
  public init(source: ManagedObjectModel, destination: ManagedObjectModel) { trap(refusal) }
  public func migrateStore(from source: URL, to destination: URL? = nil, with mapping: Any) {
    trap(refusal)
  }
}
