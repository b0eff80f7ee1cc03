// SPDX-License-Identifier: MIT
import CSystem
import FoundationEssentials
import SporadesModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Darwin
#endif

/// A file or a folder with files, as it is to lie on the disk.
enum WrittenItem {
  case file([UInt8])
  case folder([(name: String, item: WrittenItem)])
}

/// Puts files and folders in their place in one step: they are written and synced under another name first.
/// The file or folder in the place is never half replaced.
enum FileWriting {
  static func write(_ item: WrittenItem, to url: URL, replacing: Bool) throws(ModelError) {
    let target = url.resolvingSymlinksInPath()
    let folder = target.deletingLastPathComponent()
    // A leading point hides it, and without a model's ending nothing reads it.
    let draft = folder.appendingPathComponent(".sporades-\(UUID().uuidString)")
    do {
      try make(item, at: draft)
    } catch {
      remove(draft)
      throw refusal(
        url, "cannot be written (\(error)); check its folder and the space on the disk.")
    }
    let failure = place(draft, item, at: target, replacing)
    // After an exchange, the draft is what lay there before.
    remove(draft)
    guard failure == 0 else {
      if failure == EEXIST || failure == ENOTEMPTY || failure == ENOTDIR || failure == EISDIR {
        throw refusal(url, "is there already; pass replacing: true, or choose another name.")
      }
      throw refusal(
        url, "cannot be written (\(unsafe String(cString: strerror(failure)))); check its folder.")
    }
    // Failure would leave the old name after a loss of power, never a half file.
    _ = unsafe sporades_sync(folder.path)
  }

  static func refusal(_ url: URL, _ detail: String) -> ModelError {
    FileReading.makeRefusal(.unwritableFile, url, detail)
  }

  private static func make(_ item: WrittenItem, at url: URL) throws {
    switch item {
    case .file(let bytes): try Data(bytes).write(to: url)
    case .folder(let items):
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      for (name, item) in items { try make(item, at: url.appendingPathComponent(name)) }
    }
    let failure = unsafe sporades_sync(url.path)
    if failure != 0 { throw SyncFailure(text: unsafe String(cString: strerror(failure))) }
  }

  private struct SyncFailure: Error, CustomStringConvertible {
    let text: String
    var description: String { "the disk did not take it: \(text)" }
  }

  /// Gives the draft its name; returns 0 or the error's number.
  private static func place(
    _ draft: URL, _ item: WrittenItem, at target: URL, _ replacing: Bool
  ) -> Int32 {
    switch item {
    case .file:
      if replacing { return unsafe rename(draft.path, target.path) == 0 ? 0 : errno }
      return unsafe sporades_rename_new(draft.path, target.path)
    case .folder:
      // The system renames no folder onto one with files in it, or onto a file.
      if unsafe rename(draft.path, target.path) == 0 { return 0 }
      return replacing ? unsafe sporades_exchange(draft.path, target.path) : errno
    }
  }

  private static func remove(_ draft: URL) {
    // `try?`, because there may be none; and one that stays is hidden and harmless.
    try? FileManager.default.removeItem(at: draft)
  }
}
