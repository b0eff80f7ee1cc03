// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

extension ManagedObjectModel {
  /// Reads a model made in Xcode: the current version of an `.xcdatamodeld`, an `.xcdatamodel`, or
  /// the `contents` file of one.
  ///
  /// The error lists every problem with its file and line. `ModelFile.read(_:)` also returns the warnings.
  public init(contentsOf url: URL) throws(ModelError) {
    self = try ModelFile.read(url).model
  }

  /// Reads the model `name.xcdatamodeld` or `name.xcdatamodel` from the first folder that has it.
  public init(
    named name: String, in folders: [URL] = ModelFile.searchFolders
  ) throws(ModelError) {
    for folder in folders where !name.contains("/") {
      for suffix in ["xcdatamodeld", "xcdatamodel"] {
        let url = folder.appendingPathComponent("\(name).\(suffix)", isDirectory: true)
        guard FileReading.isFolder(url) else { continue }
        self = try ManagedObjectModel(contentsOf: url)
        return
      }
    }
    throw ModelError([
      .init(
        .unreadableFile,
        "There is no model named \(name) in \(folders.map(\.path).joined(separator: ", ")); add it"
          + " there or name its folder.")
    ])
  }

  /// Finds the contents file of a model folder; a path to a file is that file.
  static func findContentsFile(at url: URL) throws(ModelError) -> URL {
    if ["mom", "momd", "omo"].contains(url.pathExtension) {
      throw FileReading.makeRefusal(
        .malformedFile, url, "is a compiled model; name the .xcdatamodeld that it was made from.")
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
