// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Large values in files of their own beside the store: `.Name_SUPPORT/_EXTERNAL_DATA/<UUID>`.
///
/// A file is on the disk before the row that names it is written. Files whose rows were rolled
/// back are removed.
final class ExternalFiles: Sendable {
  /// Values above this many bytes get a file.
  static let threshold = 100_000

  private let storePath: String
  private let knownFolder = Guarded<String?>(nil)
  private let written = Guarded<[String]>([])
  private let abandoned = Guarded<[String]>([])
  private let kept = Guarded(Kept())

  /// Files that no row names any more, and that somebody may still read.
  private struct Kept {
    var holders = 0
    var names: [String] = []
  }

  init(storePath: String) {
    self.storePath = SystemFile.absolute(storePath)
  }

  /// Found when first asked for, because most stores have no large values, and taking a URL apart
  /// brings much of Foundation into memory.
  private var folder: String {
    knownFolder.withLock { known in
      if let known { return known }
      let support = "\(SystemFile.folder(of: storePath))/.\(Self.stem(of: storePath))_SUPPORT"
      let folder = "\(support)/_EXTERNAL_DATA"
      known = folder
      return folder
    }
  }

  /// A store's name without what follows its last dot.
  private static func stem(of path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  func has(_ name: String) -> Bool { SystemFile.kind("\(folder)/\(name)") != .none }

  /// Copies one file from another store's; false where that has none of the name.
  func take(_ name: String, from other: ExternalFiles) throws(StoreError) -> Bool {
    guard SystemFile.kind("\(folder)/\(name)") == .none else { return true }
    guard let bytes = other.contents(of: name) else { return false }
    try makeFolder()
    guard unsafe bytes.withUnsafeBytes({ unsafe SystemFile.write($0, to: "\(folder)/\(name)") })
    else {
      SystemFile.remove("\(folder)/\(name)")
      throw StoreError(.full, "A large value cannot be copied to \(folder).")
    }
    return true
  }

  private func makeFolder() throws(StoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(.io, "The folder for large values cannot be made.", underlying: error)
    }
  }

  /// Nil where the file is missing.
  func contents(of name: String) -> [UInt8]? { SystemFile.contents("\(folder)/\(name)") }

  /// Writes a value and returns the name of its file.
  func write(_ value: UnsafeRawBufferPointer) throws(StoreError) -> String {
    let name = UUID().uuidString
    try makeFolder()
    guard unsafe SystemFile.write(value, to: "\(folder)/\(name)") else {
      SystemFile.remove("\(folder)/\(name)")
      throw StoreError(.full, "A large value cannot be written to a file beside the store.")
    }
    written.withLock { $0.append(name) }
    return name
  }

  /// How far the lists of files have come since the last commit: a place to go back to.
  var mark: Mark {
    Mark(written: written.withLock { $0.count }, abandoned: abandoned.withLock { $0.count })
  }

  struct Mark {
    let written: Int
    let abandoned: Int
  }

  /// Notes a file whose row is deleted or has another value; it goes when that is committed.
  func abandon(_ name: String) { abandoned.withLock { $0.append(name) } }

  /// Keeps the files abandoned since the last commit, because what abandoned them was rolled back.
  func keepAbandoned() { abandoned.withLock { $0.removeAll() } }

  /// Removes the files written after a mark, which no row names, and keeps those abandoned since.
  func discard(after mark: Mark) {
    abandoned.withLock { $0.removeLast($0.count - mark.abandoned) }
    remove(
      written.withLock { written in
        let names = Array(written.dropFirst(mark.written))
        written.removeLast(names.count)
        return names
      })
  }

  /// Puts a copy of every file beside another store.
  func copy(besideStoreAt path: String) throws {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let target = ExternalFiles(storePath: path).folder
    try FileManager.default.createDirectory(
      atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(target)/\(name)")
    }
  }

  /// What was written stays and what was abandoned goes, now that a commit has said so.
  func settle() {
    written.withLock { $0.removeAll() }
    let names = abandoned.withLock { abandoned in
      let names = abandoned
      abandoned.removeAll()
      return names
    }
    guard !names.isEmpty else { return }
    let isHeld = kept.withLock { kept in
      if kept.holders > 0 { kept.names += names }
      return kept.holders > 0
    }
    if !isHeld { remove(names) }
  }

  // MARK: - Files of former states

  /// Files that are abandoned from now on stay until as many have let go as hold.
  func hold() { kept.withLock { $0.holders += 1 } }

  func letGo() {
    let names = kept.withLock { kept -> [String] in
      kept.holders -= 1
      guard kept.holders == 0 else { return [] }
      defer { kept.names = [] }
      return kept.names
    }
    remove(names)
  }

  /// Removes the files of a store that is gone, and the folder unless another store shares it, one of
  /// the same stem.
  func removeAll(named names: [String]) {
    remove(names)
    let stem = Self.stem(of: storePath)
    let beside = try? FileManager.default.contentsOfDirectory(
      atPath: SystemFile.folder(of: storePath))
    let isShared = (beside ?? []).contains { Self.stem(of: $0) == stem }
    guard !isShared else { return }
    try? FileManager.default.removeItem(atPath: folder)
    let support = SystemFile.folder(of: folder)
    // Whatever else lies there was put there by somebody else.
    if (try? FileManager.default.contentsOfDirectory(atPath: support))?.isEmpty == true {
      try? FileManager.default.removeItem(atPath: support)
    }
  }

  func remove(_ names: [String]) {
    for name in names { SystemFile.remove("\(folder)/\(name)") }
  }
}

extension [UInt8] {
  /// The name of the file a stored value lies in; nil where the value lies in the row.
  var externalName: String? {
    count == 38 && first == 2 ? String(decoding: self[1..<37], as: UTF8.self) : nil
  }
}
