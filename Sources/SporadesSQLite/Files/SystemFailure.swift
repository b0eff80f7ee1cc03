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
  /// The number of the error.
  let number: Int32

  /// The failure of the call that was made last on this thread.
  init(_ call: String, _ number: Int32 = SystemFile.lastError) {
    self.call = call
    self.number = number
  }

  /// There is nothing of the name.
  var isMissing: Bool { number == ENOENT }
  /// There is something of the name already.
  var isThere: Bool { number == EEXIST }

  var description: String { "\(call): \(SystemFile.message(number))" }

  /// The error of a store, with a sentence that says what was to be done.
  func error(_ sentence: String) -> StoreError {
    let isFull = number == ENOSPC || number == EDQUOT || number == EFBIG
    return StoreError(isFull ? .full : .io, sentence, underlying: self)
  }
}
