// SPDX-License-Identifier: MIT
import Foundation

/// The names and bytes of all files in the folder of a store.
struct FolderImage: Equatable {
  private let contents: [String: Data]

  init(ofStoreAt path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    self.contents = contents
  }

  var names: [String] { contents.keys.sorted() }
}
