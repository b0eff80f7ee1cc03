// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

extension ManagedObjectModel {
  /// Reads a model made in Xcode: the current version of an `.xcdatamodeld`, an `.xcdatamodel`, the
  /// `contents` file of one, or what these are compiled to: a `.momd` or `.mom`.
  ///
  /// The error lists every problem with its file and line. `ModelFile.read(_:)` also returns the warnings.
  public init(contentsOf url: URL) throws(ModelError) {
    self = try ModelFile.read(url).model
  }

  /// Reads the model `name` from the first folder that has it as `.xcdatamodeld`, `.xcdatamodel`, `.momd`
  /// or `.mom`.
  public init(
    named name: String, in folders: [URL] = ModelFile.searchFolders
  ) throws(ModelError) {
    self = try ManagedObjectModel(contentsOf: Self.findFile(named: name, in: folders))
  }

  /// Finds the contents file of a model folder; a path to a file is that file.
  static func findContentsFile(at url: URL) throws(ModelError) -> URL {
    if url.pathExtension == "omo" {
      throw FileReading.makeRefusal(
        .malformedFile, url,
        "is a compiled model in a form that only Apple's frameworks read; name the .mom beside it.")
    }
    guard FileReading.isFolder(url) else { return url }
    let contents = url.appendingPathComponent("contents")
    if FileManager.default.fileExists(atPath: contents.path) { return contents }
    if FileManager.default.fileExists(atPath: url.appendingPathComponent("elements").path) {
      throw FileReading.makeRefusal(
        .malformedFile, url,
        "is a binary model from before Xcode 4; save it with a newer Xcode, which writes XML.")
    }
    if url.pathExtension == "xcdatamodel" {
      throw FileReading.makeRefusal(
        .unreadableFile, url, "holds no contents file; restore it from version control.")
    }
    return try findContentsFile(at: ModelFolder(url).findCurrent())
  }
}
