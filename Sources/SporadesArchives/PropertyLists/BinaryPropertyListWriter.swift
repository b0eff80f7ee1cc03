// SPDX-License-Identifier: MIT

/// Writes a binary property list, whose form ``BinaryPropertyList`` describes. Equal scalars are written once.
package struct BinaryPropertyListWriter {
  /// An object with the numbers of its items. The widths of numbers are known when all objects are.
  private enum Object {
    case scalar([UInt8])
    case container(marker: UInt8, count: Int, items: [Int])
  }

  private var objects: [Object] = []
  /// By their bytes, because Swift's texts are equal if they only look the same.
  private var scalars: [[UInt8]: Int] = [:]
  /// The numbers of objects that stand for references, by the references; -1 for one that is not there yet. Most
  /// objects of an archive are references, and many are to the same place.
  private var references: [Int] = []
  /// The numbers of the keys of dictionaries whose characters are all ASCII, so that equal keys have equal bytes.
  private var keys: [String: Int] = [:]

  private init() {}

  /// The bytes of a property list.
  package static func bytes(of tree: PropertyListTree) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.add(tree)
    return writer.bytes(top: top)
  }

  // MARK: - Objects

  /// Adds a value and returns its number.
  private mutating func add(_ tree: PropertyListTree) -> Int {
    switch tree {
    case .list(let items):
      return addContainer(0xA0, count: items.count) { writer in items.map { writer.add($0) } }
    case .dictionary(let entries):
      return addContainer(0xD0, count: entries.count) { writer in
        var items: [Int] = []
        items.reserveCapacity(2 * entries.count)
        for entry in entries { items.append(writer.add(key: entry.key)) }
        for entry in entries { items.append(writer.add(entry.value)) }
        return items
      }
    case .reference(let number): return addReference(number)
    case .boolean, .integer, .double, .date, .data, .string: return addScalar(tree)
    }
  }

  private mutating func addContainer(
    _ marker: UInt8, count: Int, _ items: (inout Self) -> [Int]
  ) -> Int {
    let number = objects.count
    objects.append(.container(marker: marker, count: count, items: []))
    objects[number] = .container(marker: marker, count: count, items: items(&self))
    return number
  }

  private mutating func add(key: String) -> Int {
    if let number = keys[key] { return number }
    let number = addScalar(.string(key))
    if key.utf8.allSatisfy({ $0 < 0x80 }) { keys[key] = number }
    return number
  }

  private mutating func addReference(_ target: Int) -> Int {
    // An archive numbers its objects, so that the largest reference is smaller than their number.
    guard references.indices.contains(target), references[target] >= 0 else {
      let number = addScalar(.reference(target))
      while references.count <= target { references.append(-1) }
      references[target] = number
      return number
    }
    return references[target]
  }

  private mutating func addScalar(_ scalar: PropertyListTree) -> Int {
    let bytes = Self.bytes(ofScalar: scalar)
    if let number = scalars[bytes] { return number }
    let number = objects.count
    objects.append(.scalar(bytes))
    scalars[bytes] = number
    return number
  }

  static func bytes(ofScalar scalar: PropertyListTree) -> [UInt8] {
    switch scalar {
    case .boolean(let truth): return [truth ? 0x09 : 0x08]
    case .integer(let integer): return bytes(of: integer)
    case .double(let real): return [0x23] + bigEndian(real.bitPattern, width: 8)
    case .date(let seconds): return [0x33] + bigEndian(seconds.bitPattern, width: 8)
    case .data(let bytes): return marker(0x40, count: bytes.count) + bytes
    case .string(let text):
      let ascii = Array(text.utf8)
      guard ascii.contains(where: { $0 >= 0x80 }) else {
        return marker(0x50, count: ascii.count) + ascii
      }
      let units = Array(text.utf16)
      return marker(0x60, count: units.count) + units.flatMap { bigEndian(UInt64($0), width: 2) }
    case .reference(let number):
      let width = width(of: UInt64(number))
      return [0x80 | UInt8(width - 1)] + bigEndian(UInt64(number), width: width)
    case .list, .dictionary: preconditionFailure("A container is no scalar.")
    }
  }

  /// One to four bytes are an unsigned number, and eight bytes a signed one.
  private static func bytes(of integer: Int64) -> [UInt8] {
    switch integer {
    case 0...0xFF: [0x10] + bigEndian(UInt64(integer), width: 1)
    case 0...0xFFFF: [0x11] + bigEndian(UInt64(integer), width: 2)
    case 0...0xFFFF_FFFF: [0x12] + bigEndian(UInt64(integer), width: 4)
    default: [0x13] + bigEndian(UInt64(bitPattern: integer), width: 8)
    }
  }

  /// The first byte of an object, with its size or with the number that holds its size.
  private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0xF] + bytes(of: Int64(count))
  }

  // MARK: - File

  private func bytes(top: Int) -> [UInt8] {
    let width = Self.width(of: UInt64(max(0, objects.count - 1)))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .scalar(let scalar): bytes += scalar
      case .container(let marker, let count, let items):
        bytes += Self.marker(marker, count: count)
        for item in items { Self.append(UInt64(item), width: width, to: &bytes) }
      }
    }
    let start = bytes.count
    let offsetWidth = Self.width(of: UInt64(start))
    for offset in offsets { Self.append(UInt64(offset), width: offsetWidth, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(width)]
    for number in [objects.count, top, start] { bytes += Self.bigEndian(UInt64(number), width: 8) }
    return bytes
  }

  /// The smallest number of bytes, a power of two, that holds a number.
  private static func width(of number: UInt64) -> Int {
    switch number {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }

  private static func bigEndian(_ number: UInt64, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width)
    append(number, width: width, to: &bytes)
    return bytes
  }

  private static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
    var shift = UInt64(8 * width)
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
