// SPDX-License-Identifier: MIT
import SporadesStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Darwin
#endif

/// A call to the operating system that failed.
struct SystemFailure: Error, Sendable, CustomStringConvertible {
  let call: String
  /// The value of `errno`.
  let number: Int32

  /// Creates the failure from the current `errno` of this thread.
  init(_ call: String, _ number: Int32 = SystemFile.lastError) {
    self.call = call
    self.number = number
  }

  /// Whether no file has this name.
  var isMissing: Bool { number == ENOENT }
  /// Whether a file with this name exists already.
  var isThere: Bool { number == EEXIST }

  var description: String { "\(call): \(SystemFile.message(number))" }

  /// The store error for this failure, with a sentence that names the attempted action.
  func error(_ sentence: String) -> StoreError {
    let isFull = number == ENOSPC || number == EDQUOT || number == EFBIG
    return StoreError(isFull ? .full : .io, sentence, underlying: self)
  }
}

extension SystemFile {
  /// Waits until the names in the folder of a file are on the disk.
  static func sync(folderOf path: String) throws(StoreError) {
    guard syncFolder(of: path) else {
      throw StoreError(
        .io, "The folder of \(path) cannot be synced: \(message(lastError)).")
    }
  }
}
