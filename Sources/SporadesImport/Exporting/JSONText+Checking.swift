// SPDX-License-Identifier: MIT

extension JSONText {
  /// Whether bytes are one array or object of JSON, without the end of a line.
  static func isArrayOrObject(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = unsafe bytes.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
      unsafe !bytes.contains(0x0A)
    else { return false }
    var reader = JSONReader(ByteSource(unsafe Array(bytes)), .lines, RecordLimits())
    // `try?`, because bytes that can not be read are written in base64.
    guard let batch = try? reader.next(2) else { return false }
    return batch.records.count == 1 && batch.failures.isEmpty
  }
}
