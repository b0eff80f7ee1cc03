// SPDX-License-Identifier: MIT
import SporadesModel
import FoundationEssentials
import SporadesStore

/// Large values in files of their own beside the store: `.Name_SUPPORT/_EXTERNAL_DATA/<UUID>`.
///
/// A file is on the disk before the row that names it is written. Files whose rows were rolled
/// back are removed.
final class ExternalFiles: Sendable {
  /// Values above this many bytes get a file.
  static let threshold = 100_000

  private let folder: String
  private let written = Guarded<[String]>([])

  init(storePath: String) {
    let url = URL(fileURLWithPath: storePath)
    let name = url.deletingPathExtension().lastPathComponent
    let parent = url.deletingLastPathComponent().path
    folder = "\(parent)/.\(name)_SUPPORT/_EXTERNAL_DATA"
  }

  /// Nil where the file is missing.
  func contents(of name: String) -> [UInt8]? { SystemFile.contents("\(folder)/\(name)") }

  /// Writes a value and returns the name of its file.
  func write(_ value: UnsafeRawBufferPointer) throws(StoreError) -> String {
    let name = UUID().uuidString
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(.io, "The folder for large values cannot be made.", underlying: error)
    }
    guard unsafe SystemFile.write(value, to: "\(folder)/\(name)") else {
      SystemFile.remove("\(folder)/\(name)")
      throw StoreError(.full, "A large value cannot be written to a file beside the store.")
    }
    written.withLock { $0.append(name) }
    return name
  }

  /// How many files were written since the last commit: a place to go back to.
  var mark: Int { written.withLock { $0.count } }

  /// Removes the files written after a mark; no row names them.
  func discard(after mark: Int) {
    let names = written.withLock { written in
      let names = Array(written.dropFirst(mark))
      written.removeLast(names.count)
      return names
    }
    for name in names { SystemFile.remove("\(folder)/\(name)") }
  }

  func keepAll() { written.withLock { $0.removeAll() } }
}
