// SPDX-License-Identifier: MIT

/// The well-formed sequences of UTF-8.
enum UTF8Check {
  /// The number of bytes of the sequence at an address, whose first byte is not ASCII; 0 if it is not well formed.
  /// The bytes behind the end of the input must be zeros.
  @inline(__always) @unsafe
  static func length(_ start: UnsafePointer<UInt8>) -> Int {
    let (first, second) = unsafe (start[0], start[1])
    switch first {
    case 0xC2...0xDF: return isContinuation(second) ? 2 : 0
    case 0xE0: return unsafe (0xA0...0xBF).contains(second) && isContinuation(start[2]) ? 3 : 0
    case 0xED: return unsafe (0x80...0x9F).contains(second) && isContinuation(start[2]) ? 3 : 0
    case 0xE1...0xEF: return unsafe isContinuation(second) && isContinuation(start[2]) ? 3 : 0
    case 0xF0: return unsafe (0x90...0xBF).contains(second) && ends(start) ? 4 : 0
    case 0xF4: return unsafe (0x80...0x8F).contains(second) && ends(start) ? 4 : 0
    case 0xF1...0xF3: return unsafe isContinuation(second) && ends(start) ? 4 : 0
    default: return 0
    }
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The third and the fourth byte are continuations.
  @inline(__always) @unsafe
  private static func ends(_ start: UnsafePointer<UInt8>) -> Bool {
    unsafe isContinuation(start[2]) && isContinuation(start[3])
  }
}
