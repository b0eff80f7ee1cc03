// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesArchives
public import SporadesModel

extension MappingModel {
  /// Reads a mapping model made in Xcode: an `.xcmappingmodel`, the `xcmapping.xml` in one, or the `.cdm` that it is
  /// compiled to.
  ///
  /// Of an `.xcmappingmodel`, properties whose expressions Xcode generates are ``MappingExpression/automatic``;
  /// ``MappingModel/resolved(from:to:)`` makes the expressions. The error lists every problem with its line.
  public init(contentsOf url: URL) throws(ModelError) {
    self = try Self.read(url).mappings
  }

  /// Finds the mapping model for two versions in folders: the first `.cdm` whose version hashes are theirs, or the
  /// first `.xcmappingmodel` that was made for their entities and properties. Nil if none fits.
  ///
  /// A file that cannot be read is passed over if another one fits. If none does, its error is thrown.
  public static func mappingModel(
    from folders: [URL] = ModelFile.searchFolders, forSource source: ManagedObjectModel,
    destination: ManagedObjectModel
  ) throws(ModelError) -> MappingModel? {
    try mappingModels(from: folders, forSource: source, destination: destination).first
  }

  /// Finds all mapping models for two versions in folders. Several of them divide a migration into passes.
  public static func mappingModels(
    from folders: [URL] = ModelFile.searchFolders, forSource source: ManagedObjectModel,
    destination: ManagedObjectModel
  ) throws(ModelError) -> [MappingModel] {
    try MappingFolders(folders).mappingModels(from: [source], to: [destination])[0, 0]
  }

  static func read(_ url: URL) throws(ModelError) -> MappingFile {
    let file = FileReading.isFolder(url) ? url.appendingPathComponent("xcmapping.xml") : url
    let bytes = try FileReading.readBytes(of: file)
    guard BinaryPropertyList.begins(bytes) else {
      return try MappingReader.read(
        XMLReader.read(bytes, file: file.path, .store), file: file.path)
    }
    do throws(PropertyListError) {
      return MappingFile(
        mappings: try MappingUnarchiver.model(bytes), isCompiled: true, sourcePath: nil,
        destinationPath: nil, source: nil, destination: nil)
    } catch {
      throw FileReading.makeRefusal(
        .malformedFile, url, "holds no mapping model that can be read: \(error.reason).")
    }
  }
}
