// SPDX-License-Identifier: MIT
/// A binary property list made of bytes, right or wrong. The first object is the top one, unless
/// said otherwise.
struct HandMadeList {
  var objects: [[UInt8]]
  var offsetWidth = 1
  var referenceWidth = 1
  var top: UInt64 = 0
  var count: UInt64?
  var tableStart: UInt64?

  init(_ objects: [UInt8]...) { self.objects = objects }

  init(_ objects: [[UInt8]]) { self.objects = objects }

  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += Self.number(UInt64(bytes.count), width: offsetWidth)
      bytes += object
    }
    let start = tableStart ?? UInt64(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0]
    bytes += [UInt8(truncatingIfNeeded: offsetWidth), UInt8(truncatingIfNeeded: referenceWidth)]
    for number in [count ?? UInt64(objects.count), top, start] {
      bytes += Self.number(number, width: 8)
    }
    return bytes
  }

  static func number(_ number: UInt64, width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (width - 1 - $0))) }
  }

  static func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + text.utf8 }
}
