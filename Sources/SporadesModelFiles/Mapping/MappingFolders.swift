// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import SporadesModel

/// The mapping models in folders. Each file is read once.
package struct MappingFolders {
  private let files: [(name: String, file: MappingFile)]
  private let problems: [ModelError.Problem]

  package init(_ folders: [URL]) {
    var files: [(String, MappingFile)] = []
    var problems: [ModelError.Problem] = []
    for url in folders.flatMap(Self.files) {
      do throws(ModelError) {
        files.append((url.lastPathComponent, try MappingModel.read(url)))
      } catch {
        problems += error.problems
      }
    }
    self.files = files
    self.problems = problems
  }

  private static func files(in folder: URL) -> [URL] {
    // `try?`, because a folder that cannot be listed offers no mapping models.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }
      .filter { ["cdm", "xcmappingmodel"].contains($0.pathExtension) }
  }

  /// The mapping models between versions, by the places of the two.
  package struct Found {
    fileprivate var models: [[[MappingModel]]]

    package subscript(source: Int, destination: Int) -> [MappingModel] {
      models[source][destination]
    }
  }

  /// Finds the mapping models from each older version to the newer one of the same place, and to those after it.
  ///
  /// A file that cannot be read is passed over if there is a mapping model for all of them. Otherwise its error is thrown.
  /// With `resolves`, each expression is there, also those that Xcode would generate.
  package func mappingModels(
    from sources: [ManagedObjectModel], to destinations: [ManagedObjectModel], resolves: Bool = true
  ) throws(ModelError) -> Found {
    let none = Array(repeating: [MappingModel](), count: destinations.count)
    var found = Found(models: Array(repeating: none, count: sources.count))
    for (_, file) in files {
      let older = sources.indices.filter { file.differences(ofSource: sources[$0]).isEmpty }
      guard !older.isEmpty else { continue }
      let newer = destinations.indices.filter {
        file.differences(ofDestination: destinations[$0]).isEmpty
      }
      for source in older {
        for destination in newer where destination >= source {
          let (old, new) = (sources[source], destinations[destination])
          guard !file.isCompiled || file.mappings.problems(from: old, to: new).isEmpty else {
            continue
          }
          found.models[source][destination].append(
            resolves ? file.mappings.resolved(from: old, to: new) : file.mappings)
        }
      }
    }
    let isWhole = sources.indices.allSatisfy { source in
      destinations.indices.allSatisfy { $0 < source || !found[source, $0].isEmpty }
    }
    guard isWhole || problems.isEmpty else { throw ModelError(problems) }
    return found
  }

  /// The mapping models that were made for no two of some versions, each with the reason in a sentence.
  package func passedOver(_ versions: [(name: String, model: ManagedObjectModel)]) -> [String] {
    files.compactMap { name, file in
      let older = Self.nearest(versions) { file.differences(ofSource: $0) }
      let newer = Self.nearest(versions) { file.differences(ofDestination: $0) }
      guard let older, let newer else { return nil }
      let reasons = [("older", older), ("newer", newer)].compactMap { age, nearest in
        nearest.differences.isEmpty
          ? nil
          : "its \(age) version is nearest to \(nearest.name), and \(nearest.differences.prefix(3).joined(separator: ", "))"
      }
      guard !reasons.isEmpty else { return nil }
      return
        "The mapping model \(name) is not used, because it was made for other versions: "
        + "\(reasons.joined(separator: "; ")). Make it again in Xcode, or remove it."
    }
  }

  private static func nearest(
    _ versions: [(name: String, model: ManagedObjectModel)],
    _ differences: (ManagedObjectModel) -> [String]
  ) -> (name: String, differences: [String])? {
    versions.map { ($0.name, differences($0.model)) }.min { $0.1.count < $1.1.count }
  }
}
