// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite

/// The Swift source in a folder and the folders within it. Links are not followed, so nothing outside is read.
struct SwiftFolder {
  private(set) var fileCount = 0
  /// The paths of the models of Xcode.
  private(set) var models: [String] = []
  /// Sentences about files and folders that could not be read.
  private(set) var failures: [String] = []

  private static let largest = 16 << 20

  /// Reads the files, or the single file at the path, and hands each with its path to a block.
  init(_ path: String, _ take: ([UInt8], String) -> Void) throws(CommandError) {
    switch SystemFile.kind(path) {
    case .folder: readFolder(path, take)
    case .file: readFile(path, take)
    case .none, .other, .hidden:
      throw .failed("There is no folder of Swift source at \(path). Check the path.")
    }
  }

  private mutating func readFolder(_ root: String, _ take: ([UInt8], String) -> Void) {
    var open = [root]
    while let folder = open.popLast() {
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: folder)
      } catch {
        failures.append("The folder \(folder) cannot be listed: \(OwnWords.of(error)).")
        continue
      }
      var folders: [String] = []
      for name in names.inOrder() where !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        switch SystemFile.kind(path, followsLinks: false) {
        case .folder where name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel"):
          models.append(path)
        case .folder: folders.append(path)
        case .file where name.hasSuffix(".swift"): readFile(path, take)
        case .file, .other, .none, .hidden: break
        }
      }
      open += folders.reversed()
    }
  }

  private mutating func readFile(_ path: String, _ take: ([UInt8], String) -> Void) {
    guard let size = SystemFile.size(path), size <= Self.largest else {
      failures.append(
        "The file \(path) is left out: it is larger than \(Self.largest >> 20) MiB, or cannot be looked at."
      )
      return
    }
    do {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      fileCount += 1
      take(bytes, path)
    } catch {
      failures.append("The file \(path) cannot be read: \(error).")
    }
  }
}
