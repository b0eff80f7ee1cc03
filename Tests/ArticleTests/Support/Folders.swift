// SPDX-License-Identifier: MIT
import CoreData

/// A folder that is removed with its owner.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "ArticleTests-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  // `try?`: a folder that stays does no harm to another test.
  deinit { try? FileManager.default.removeItem(at: url) }
}

/// The files of a run of the tests that snippets keep in the usual folders. The process removes them when it ends.
enum UsualFolder {
  private static let name = "ArticleTests-\(UUID().uuidString)"

  /// The folder of the containers' stores.
  static let url: URL = {
    atexit { UsualFolder.remove() }
    return FileManager.default.temporaryDirectory.appendingPathComponent(name)
  }()

  /// A copy of a model for a client, after whose name Skopelos calls the store that it keeps among the user's documents. No other run
  /// has that name.
  static func model(_ name: String, of client: String) throws -> URL {
    let model = Bundle.main.url(forResource: name, withExtension: "momd")!
    let copy = url.appendingPathComponent("\(Self.name)-\(client).momd")
    if !FileManager.default.fileExists(atPath: copy.path) {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: model, to: copy)
    }
    return copy
  }

  private static func remove() {
    let files = FileManager.default
    let documents = files.urls(for: .documentDirectory, in: .userDomainMask)[0]
    // `try?`: a folder that cannot be listed has no files of the tests.
    let names = (try? files.contentsOfDirectory(atPath: documents.path)) ?? []
    let stores = names.filter { $0.contains(name) }.map { documents.appendingPathComponent($0) }
    // `try?`: what cannot be removed does no harm to another run.
    for file in stores + [url] { try? files.removeItem(at: file) }
  }
}

/// The module's container under its own name, whose usual stores lie in a folder of the run: snippets that name a model alone would
/// share a file with all other runs.
public class NSPersistentContainer: CoreData.NSPersistentContainer {
  public override class func defaultDirectoryURL() -> URL { UsualFolder.url }
}
