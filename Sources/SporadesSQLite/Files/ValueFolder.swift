// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesStore

/// The folder of a store's large values, beside the store: `.Name_SUPPORT/_EXTERNAL_DATA`.
///
/// Each value opens the two folders anew. A replaced folder is therefore noticed, and the process holds no
/// descriptor that a program with many open files would need.
package struct ValueFolder: Sendable {
  private let parent: String
  private let support: String
  private let storeName: String
  private static let name = "_EXTERNAL_DATA"

  package init(ofStoreAt path: String) {
    parent = SystemFile.folder(of: path)
    support = ".\(Self.stem(of: path))_SUPPORT"
    storeName = Self.name(of: path)
  }

  private static func name(of path: String) -> String {
    String(Substring(path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]))
  }

  /// A store's name up to its last dot, or the whole name if it ends with the dot.
  private static func stem(of path: String) -> String {
    let name = name(of: path)
    let (stem, ending) = SystemFile.parts(name)
    return ending.utf8.count == 1 ? name : String(stem)
  }

  /// A file beside the store whose name differs only after the last dot; nil if there is none. If this file
  /// is a store, it keeps its large values in the same folder. The check does not open the file, because
  /// closing a database file releases this process's locks on it.
  func otherOfStem() throws(SystemFailure) -> String? {
    let own = ([""] + SystemFile.sidecars).map { storeName + $0 }
    let stem = Self.stem(of: storeName)
    return try Descriptor(folder: parent).names().first { name in
      Self.stem(of: name) == stem && !own.contains(name)
        && SystemFile.kind("\(parent)/\(name)") != .folder
    }
  }

  /// Whether a file of the name is there. A link or a folder is none.
  func holds(_ name: ValueName) -> Bool {
    SystemFile.kind("\(path)/\(name)", followsLinks: false) == .file
  }

  /// Whether two paths lead to one folder; false if there is no folder.
  func isSame(as other: ValueFolder) -> Bool {
    guard let mine = SystemFile.identity(path) else { return false }
    return mine == SystemFile.identity(other.path)
  }

  /// The path for error texts.
  package var path: String { "\(parent)/\(support)/\(Self.name)" }

  /// The folder beside the store, with all links resolved. It need not exist.
  var resolved: String { "\(SystemFile.target(of: parent))/\(support)" }

  private func open() throws(SystemFailure) -> Descriptor {
    try Descriptor(folder: parent).folder(support).folder(Self.name)
  }

  /// Creates missing folders, and waits until their names are on the disk. It also syncs existing folders,
  /// because another process may have created them and ended before its own sync.
  func make() throws(SystemFailure) {
    let parent = try Descriptor(folder: parent)
    try parent.makeFolder(support)
    try parent.sync()
    let support = try parent.folder(support)
    try support.makeFolder(Self.name)
    try support.sync()
  }

  /// Waits until the names of all files are on the disk.
  func sync() throws(SystemFailure) { try open().sync() }

  // MARK: - Files

  func contents(of name: ValueName) throws(SystemFailure) -> Data {
    try open().file(name.description).contents()
  }

  func size(of name: ValueName) throws(SystemFailure) -> Int {
    try open().file(name.description).size()
  }

  /// Writes a new file and waits until its bytes are on the disk. Its name may reach the disk later.
  func write(_ data: Data, as name: ValueName) throws(SystemFailure) {
    let folder = try open()
    let file = try folder.makeFile(name.description)
    do throws(SystemFailure) {
      for part in data.regions {
        var failure: SystemFailure?
        unsafe part.withUnsafeBytes { bytes in
          do throws(SystemFailure) { try unsafe file.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
      }
      try file.sync()
    } catch {
      // A file that cannot be removed has no row, and a later collection removes it.
      try? folder.remove(name.description)
      throw error
    }
  }

  func remove(_ name: ValueName) throws(SystemFailure) {
    do throws(SystemFailure) { try open().remove(name.description) } catch  where !error.isMissing {
      throw error
    } catch {}
  }

  /// The names of all files that can hold a value; none if the folder is missing.
  func names() throws(SystemFailure) -> [ValueName] {
    do throws(SystemFailure) {
      return try open().names().compactMap { ValueName($0) }
    } catch  where !error.isMissing { throw error } catch { return [] }
  }

  /// Removes each folder that is empty.
  func removeIfEmpty() throws(SystemFailure) {
    do throws(SystemFailure) {
      let parent = try Descriptor(folder: parent)
      guard try parent.folder(support).removeFolder(Self.name) else { return }
      // Another program owns any other file in the folder.
      _ = try parent.removeFolder(support)
    } catch  where !error.isMissing { throw error } catch {}
  }

  // MARK: - Copies

  /// Copies a file from another folder and waits until its bytes are on the disk; false if this folder has
  /// the same file already. The names of the copies are certain to be on the disk after ``sync()``.
  func take(_ name: ValueName, from other: ValueFolder) throws(SystemFailure) -> Bool {
    let folder = try open()
    let source = try other.open().file(name.description)
    let target: Descriptor
    do throws(SystemFailure) { target = try folder.makeFile(name.description) } catch
      where error.isThere
    {
      guard try isSame(source, try folder.file(name.description)) else { throw error }
      return false
    }
    do throws(SystemFailure) {
      try copy(source, to: target)
      try target.sync()
    } catch {
      // A partial copy that cannot be removed has no row, and a later collection removes it.
      try? folder.remove(name.description)
      throw error
    }
    return true
  }

  private static let partSize = 1 << 18

  private func copy(
    _ source: borrowing Descriptor, to target: borrowing Descriptor
  ) throws(SystemFailure) {
    let part = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.partSize, alignment: 16)
    defer { unsafe part.deallocate() }
    while true {
      let count = try unsafe source.read(into: part)
      guard count > 0 else { return }
      try unsafe target.write(UnsafeRawBufferPointer(rebasing: part[..<count]))
    }
  }

  private func isSame(
    _ one: borrowing Descriptor, _ other: borrowing Descriptor
  ) throws(SystemFailure) -> Bool {
    guard try one.size() == other.size() else { return false }
    let parts = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Self.partSize, alignment: 16)
    defer { unsafe parts.deallocate() }
    let first = unsafe UnsafeMutableRawBufferPointer(rebasing: parts[..<Self.partSize])
    let second = unsafe UnsafeMutableRawBufferPointer(rebasing: parts[Self.partSize...])
    while true {
      let counts = try (unsafe one.read(into: first), unsafe other.read(into: second))
      guard counts.0 == counts.1 else { return false }
      guard counts.0 > 0 else { return true }
      guard unsafe first[..<counts.0].elementsEqual(second[..<counts.0]) else { return false }
    }
  }
}
