// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel
import SporadesModelFiles
import SporadesSQLite

// Models out of files, hashes, and the models of stores.
extension NSManagedObjectModel {
  /// Reads a model file: a compiled one, or one of Xcode's sources.
  public convenience init?(contentsOf url: URL) {
    // `try?`: Core Data's initializer answers nil for a file that is no model. `ModelFile.read(_:)` says why.
    guard let reading = try? ModelFile.read(Self.existing(url)) else { return nil }
    self.init(reading.model)
  }

  /// Merges all models of some bundles; nil and an empty list name the program's own.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let models = files(in: bundles).compactMap {
      NSManagedObjectModel(contentsOf: $0)
    }
    return NSManagedObjectModel(byMerging: models)
  }

  /// Merges models.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    let built = (models ?? []).map { $0.built(for: "A model to merge has mistakes") }
    // `try?`: Core Data's initializer answers nil for models that do not fit together.
    guard let merged = try? ManagedObjectModel.merging(built) else { return nil }
    self.init(merged)
  }

  /// The model of a store's version among all versions in the files of bundles, merged where the store has the entities of several
  /// models; nil and an empty list name the program's own.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let versions = versions(in: bundles)
    return NSManagedObjectModel(
      byMerging: versions.map { NSManagedObjectModel($0) }, forStoreMetadata: metadata)
  }

  /// Merges those of some models whose entities a store with the metadata has. Nil if they are not all of its entities.
  public convenience init?(
    byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
  ) {
    guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
    var chosen: [ManagedObjectModel] = []
    var covered: Set<String> = []
    // The largest first, so that one version with all entities is taken alone.
    let built = models.map { $0.built(for: "A model to merge has mistakes") }
    for model in built.sorted(by: { $0.entities.count > $1.entities.count }) {
      let own = model.entityVersionHashesByName
      guard own.allSatisfy({ name, hash in hashes[name].map { Array($0) == hash } ?? false }),
        !covered.isSuperset(of: own.keys)
      else { continue }
      chosen.append(model)
      covered.formUnion(own.keys)
    }
    // `try?`: Core Data's initializer answers nil for models that do not fit together.
    guard covered == Set(hashes.keys), let merged = try? ManagedObjectModel.merging(chosen) else {
      return nil
    }
    self.init(merged)
  }

  /// The checksums of the versions in a model file, by the names of the versions.
  public class func checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
    do {
      let listed = modelURL.pathExtension == "momd" ? try ModelFile.checksums(at: modelURL) : [:]
      if !listed.isEmpty { return listed }
      var checksums: [String: String] = [:]
      for version in try ModelFile.versions(at: Self.existing(modelURL)) {
        checksums[version.name] = try version.model().versionChecksum
      }
      return checksums
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// The model that the store in a file carries; nil for a store of a time when stores carried none.
  public class func cachedModelForPersistentStore(
    at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectModel? {
    do {
      return try ManagedObjectModel.cachedModel(forStoreAt: url).map { NSManagedObjectModel($0) }
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// All versions in the model files of bundles. Files that cannot be read have none.
  static func versions(in bundles: [Bundle]?) -> [ManagedObjectModel] {
    files(in: bundles).flatMap { file -> [ManagedObjectModel] in
      // `try?`: a file that is no model has no versions.
      let versions = (try? ModelFile.versions(at: file)) ?? []
      return versions.compactMap { try? $0.model() }
    }
  }

  /// The hashes of the entities by their names.
  public var entityVersionHashesByName: [String: Data] {
    built(for: "A model with mistakes has no hashes").entityVersionHashesByName.mapValues {
      Data($0)
    }
  }

  /// The checksum of all entities.
  public var versionChecksum: String {
    built(for: "A model with mistakes has no checksum").versionChecksum
  }

  /// Whether the entities of a configuration are those of a store with the metadata.
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    // `try?`: metadata of a kind that no store has fit no model.
    guard let values = try? StoreMetadataCoding.values(metadata) else { return false }
    return built(for: "A model with mistakes fits no store").isConfiguration(
      withName: configuration, compatibleWithStoreMetadata: values)
  }

  // MARK: - Places

  /// The model file of a name among the files of bundles.
  static func named(_ name: String, in bundles: [Bundle]) -> NSManagedObjectModel? {
    let file = files(in: bundles).first { $0.deletingPathExtension().lastPathComponent == name }
    return file.flatMap { NSManagedObjectModel(contentsOf: $0) }
  }

  /// A compiled model that Xcode would have made of a source that lies in its place.
  private static func existing(_ url: URL) -> URL {
    guard !FileManager.default.fileExists(atPath: url.path) else { return url }
    let base = url.deletingPathExtension()
    let sources = ["xcdatamodeld", "xcdatamodel"].map { base.appendingPathExtension($0) }
    return sources.first { FileManager.default.fileExists(atPath: $0.path) } ?? url
  }

  /// The folders of bundles, and of the resources of the program's packages. An empty list names the program's own, as nil does, because
  /// `Bundle.allBundles` is always empty on Linux.
  static func folders(of list: [Bundle]?) -> [URL] {
    let bundles = list.flatMap { $0.isEmpty ? nil : $0 } ?? [Bundle.main]
    var folders = bundles.flatMap { [$0.resourceURL, $0.bundleURL].compactMap(\.self) }
    if bundles.contains(Bundle.main) { folders += ModelFile.searchFolders }
    var seen: Set<String> = []
    return folders.map(\.standardizedFileURL).filter { seen.insert($0.path).inserted }
  }

  /// The model files of bundles, and of the resources of the program's packages.
  static func files(in bundles: [Bundle]?) -> [URL] {
    folders(of: bundles).flatMap { folder -> [URL] in
      // `try?`: a folder that cannot be listed offers no models.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sorted()
        .filter {
          ["momd", "mom", "xcdatamodeld", "xcdatamodel"].contains(($0 as NSString).pathExtension)
        }
        .map { folder.appendingPathComponent($0) }
    }
  }
}
