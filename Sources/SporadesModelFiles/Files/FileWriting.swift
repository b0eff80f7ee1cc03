// SPDX-License-Identifier: MIT
import CSystem
package import FoundationEssentials
package import SporadesModel

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
package enum WrittenItem {
  case file([UInt8])
  case folder([(name: String, item: WrittenItem)])
}

/// Puts files and folders in their place in one step: they are written and synced under another name first.
/// The file or folder in the place is never half replaced.
package enum FileWriting {
  package static func write(_ item: WrittenItem, to url: URL, replacing: Bool) throws(ModelError) {
    let target = url.resolvingSymlinksInPath()
    let folder = target.deletingLastPathComponent()
    let failure: Int32
    do {
      // After an exchange, what lay there before ends with the folder.
      let drafts = try DraftFolder(in: folder)
      let draft = drafts.url.appendingPathComponent("draft")
      try make(item, at: draft)
      failure = withExtendedLifetime(drafts) { place(draft, item, at: target, replacing) }
    } catch {
      throw refusal(
        url,
        "cannot be written (\(FileFailure.reason(error))); check its folder and the space on the disk."
      )
    }
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
    if failure != 0 { throw WritingFailure(failure, "the disk did not take it: ") }
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
}

/// The number of an error of the system, in words.
struct WritingFailure: Error, CustomStringConvertible {
  let description: String

  init(_ number: Int32, _ beginning: String = "") {
    description = beginning + (unsafe String(cString: strerror(number)))
  }
}
