// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

extension ManagedObjectModel {
  /// Makes the model that wrote a store, of all versions of all models in the folders. The metadata may come from
  /// `DataStack.metadata(ofStoreAt:)`. Nil if no model fits.
  ///
  /// A file that cannot be read is passed over if the others make up the model. If they do not, its error is thrown.
  public static func mergedModel(
    from folders: [URL] = ModelFile.searchFolders,
    forStoreMetadata metadata: [String: MetadataValue]
  ) throws(ModelError) -> ManagedObjectModel? {
    let found = ModelSearch(folders)
    if let model = try ManagedObjectModel(byMerging: found.models, forStoreMetadata: metadata) {
      return model
    }
    guard found.problems.isEmpty else { throw ModelError(found.problems) }
    return nil
  }

  /// All versions of all models in the folders.
  static func models(in folders: [URL]) throws(ModelError) -> [ManagedObjectModel] {
    let found = ModelSearch(folders)
    guard !found.models.isEmpty || found.problems.isEmpty else { throw ModelError(found.problems) }
    return found.models
  }

  /// The file or folder of the model with the name, in the first folder that has it.
  package static func findFile(named name: String, in folders: [URL]) throws(ModelError) -> URL {
    for folder in folders where !name.contains("/") {
      for suffix in modelSuffixes {
        let url = folder.appendingPathComponent("\(name).\(suffix)", isDirectory: suffix != "mom")
        if FileManager.default.fileExists(atPath: url.path) { return url }
      }
    }
    throw ModelError([
      .init(
        .unreadableFile,
        "There is no model named \(name) in \(folders.map(\.path).joined(separator: ", ")); add it"
          + " there or name its folder. Classes marked @Entity need no such file: pass them as "
          + "entities.")
    ])
  }
}

/// The ends of the names of models, in the order of a search.
private let modelSuffixes = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]

/// The models in folders.
private struct ModelSearch {
  private(set) var models: [ManagedObjectModel] = []
  /// The problems of the files that cannot be read.
  private(set) var problems: [ModelError.Problem] = []

  init(_ folders: [URL]) {
    for folder in folders {
      // `try?`, because a folder that cannot be listed offers no models.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() { add(folder.appendingPathComponent(name)) }
    }
  }

  private mutating func add(_ url: URL) {
    guard modelSuffixes.contains(url.pathExtension) else { return }
    do throws(ModelError) {
      for version in try ModelFile.versions(at: url) { read(version) }
    } catch {
      problems += error.problems
    }
  }

  private mutating func read(_ version: ModelFile.Version) {
    do throws(ModelError) { models.append(try version.model()) } catch {
      problems += error.problems
    }
  }
}
