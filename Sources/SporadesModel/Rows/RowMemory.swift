// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory for rows, as the C library gives it. What Swift's `allocate` gives comes, on Linux, from a
/// function for special alignments, which is several times slower for the few bytes of one object.
enum RowMemory {
  static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    unsafe resize(nil, to: byteCount)
  }

  /// The same bytes in more memory or less, perhaps elsewhere.
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
