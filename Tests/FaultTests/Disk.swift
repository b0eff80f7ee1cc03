// SPDX-License-Identifier: MIT
import Foundation

/// A disk that got the first records of the journal and then lost its power.
///
/// The disk has all synced data. A ``Keeping`` chooses the part of the other data that it keeps. The tests rely on
/// two promises of the operating system: `fsync` works, and the names of one folder change in their order.
struct Disk {
  enum Keeping: String, CaseIterable, Sendable {
    /// Only synced bytes and synced names.
    case nothing
    /// All changes of names, and only the synced bytes.
    case names
    /// Some blocks and some names.
    case some
    /// All bytes, and only the synced names.
    case bytes
    /// All bytes and all names, as if only the process was killed.
    case everything
  }

  private final class File {
    var synced: [UInt8] = []
    var pending: [Change] = []
  }

  private enum Change {
    case write(Int, [UInt8])
    case resize(Int)
  }

  private enum Name {
    case file(File)
    case folder
  }

  private struct NameChange {
    enum Act {
      case give(Name)
      case take
      case move(to: String)
      case link(to: String)
    }
    let path: String
    let act: Act
    var isSynced = false
  }

  private let root: String
  private var files: [UInt64: File] = [:]
  private var names: [NameChange] = []
  /// The output of the program before the loss.
  private(set) var notes: [String] = []

  init(_ root: String, after changes: ArraySlice<DiskChange>) {
    self.root = root
    for change in changes { see(change) }
  }

  private mutating func see(_ change: DiskChange) {
    switch change.kind {
    case .create:
      let file = File()
      files[change.file] = file
      names.append(NameChange(path: change.path, act: .give(.file(file))))
    case .write: files[change.file]?.pending.append(.write(change.offset, change.bytes))
    case .resize: files[change.file]?.pending.append(.resize(change.offset))
    case .syncFile:
      guard let file = files[change.file] else { break }
      for change in file.pending { Self.apply(change, to: &file.synced) }
      file.pending = []
    case .syncFolder:
      for place in names.indices where Self.folder(of: names[place].path) == change.path {
        names[place].isSynced = true
      }
    case .unlink, .removeFolder: names.append(NameChange(path: change.path, act: .take))
    case .rename: names.append(NameChange(path: change.path, act: .move(to: change.other)))
    case .link: names.append(NameChange(path: change.path, act: .link(to: change.other)))
    case .makeFolder: names.append(NameChange(path: change.path, act: .give(.folder)))
    case .note: notes.append(change.path)
    case .begin: break
    }
  }

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let new):
      if bytes.count < offset + new.count {
        bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<(offset + new.count), with: new)
    case .resize(let size):
      bytes = Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
    }
  }

  // MARK: - After the loss

  /// Writes the kept files of the disk into a folder.
  func leave(_ keeping: Keeping, in folder: URL, seed: UInt64) throws {
    var random = Draws(state: seed)
    var kept: [ObjectIdentifier: [UInt8]] = [:]
    // Sorted by path, so that a folder comes before its content.
    for (path, name) in namesLeft(keeping, &random).sorted(by: { $0.key < $1.key }) {
      let place = folder.appendingPathComponent(String(path.dropFirst(root.count + 1)))
      let hasFolder = FileManager.default.fileExists(atPath: place.deletingLastPathComponent().path)
      // A file is unreachable if its folder has lost its own name.
      guard path.hasPrefix(root + "/"), hasFolder else { continue }
      switch name {
      case .folder:
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      case .file(let file):
        let bytes = kept[ObjectIdentifier(file)] ?? bytesLeft(of: file, keeping, &random)
        kept[ObjectIdentifier(file)] = bytes
        try Data(bytes).write(to: place)
      }
    }
  }

  private func namesLeft(_ keeping: Keeping, _ random: inout Draws) -> [String: Name] {
    var left: [String: Name] = [:]
    var endedFolders: Set<String> = []
    for change in names {
      let folder = Self.folder(of: change.path)
      if !change.isSynced {
        switch keeping {
        case .nothing, .bytes: continue
        case .names, .everything: break
        case .some:
          // The names of one folder change in their order until the loss.
          if endedFolders.contains(folder) || random.next() % 3 == 0 {
            endedFolders.insert(folder)
            continue
          }
        }
      }
      switch change.act {
      case .give(let name): left[change.path] = name
      case .take: left[change.path] = nil
      case .move(let target): left[target] = left.removeValue(forKey: change.path) ?? left[target]
      case .link(let target): left[target] = left[change.path]
      }
    }
    return left
  }

  private func bytesLeft(
    of file: File, _ keeping: Keeping, _ random: inout Draws
  ) -> [UInt8] {
    var bytes = file.synced
    guard keeping != .nothing, keeping != .names else { return bytes }
    for change in file.pending {
      guard keeping == .some else {
        Self.apply(change, to: &bytes)
        continue
      }
      switch change {
      case .resize: if random.next() % 2 == 0 { Self.apply(change, to: &bytes) }
      case .write(let offset, let new):
        for start in stride(from: 0, to: new.count, by: 512) where random.next() % 2 == 0 {
          let block = Array(new[start..<min(start + 512, new.count)])
          Self.apply(.write(offset + start, block), to: &bytes)
        }
      }
    }
    return bytes
  }
}

/// Random numbers from a seed, so that a failure can be repeated.
struct Draws {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
