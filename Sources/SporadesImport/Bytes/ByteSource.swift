// SPDX-License-Identifier: MIT

/// The bytes of a file or of memory, which are read once from the beginning to the end.
struct ByteSource: Sendable {
  private enum Origin: Sendable {
    case file(OpenFile)
    case memory([UInt8])
  }

  private let origin: Origin
  private var place = 0

  init(_ file: OpenFile) { origin = .file(file) }
  init(_ bytes: [UInt8]) { origin = .memory(bytes) }

  /// The number of all bytes; nil if nobody knows it in advance.
  var size: Int? {
    switch origin {
    case .file(let file): file.size
    case .memory(let bytes): bytes.count
    }
  }

  /// Reads bytes into the buffer, and returns their number; 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    switch origin {
    case .file(let file): return unsafe try file.read(into: buffer)
    case .memory(let bytes):
      let count = min(buffer.count, bytes.count - place)
      guard count > 0 else { return 0 }
      unsafe bytes.withUnsafeBytes { all in
        let part = unsafe UnsafeRawBufferPointer(rebasing: all[place..<place + count])
        unsafe buffer.copyMemory(from: part)
      }
      place += count
      return count
    }
  }
}
