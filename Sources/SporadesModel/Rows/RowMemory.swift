// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory for rows, from the C library.
///
/// On Linux, Swift's `allocate` calls the C library's function for special alignments, which takes
/// several times longer for the few bytes of one object.
enum RowMemory {
  static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    unsafe resize(nil, to: byteCount)
  }

  /// Makes a block of memory larger or smaller. The bytes may move.
  static func resize(
    _ memory: UnsafeMutableRawPointer?, to byteCount: Int
  ) -> UnsafeMutableRawPointer {
    guard let resized = unsafe realloc(memory, max(1, byteCount)) else {
      fatalError("There is no memory for \(byteCount) bytes of rows.")
    }
    return unsafe resized
  }

  static func free(_ memory: UnsafeMutableRawPointer?) {
    #if canImport(Glibc)
      unsafe Glibc.free(memory)
    #elseif canImport(Musl)
      unsafe Musl.free(memory)
    #elseif canImport(Darwin)
      unsafe Darwin.free(memory)
    #endif
  }
}
