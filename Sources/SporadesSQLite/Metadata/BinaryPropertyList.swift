// SPDX-License-Identifier: MIT
import SporadesStore

/// Reads a binary property list.
///
/// ```text
/// "bplist00"
/// objects    each a byte with its kind and size, then its contents; containers name others by number
/// offsets    where each object begins
/// trailer    32 bytes: widths of the numbers above, how many objects, the top one, where offsets begin
/// ```
///
/// Foundation's decoder reads the same format, but it loads 0.7 MB of library code into every program that
/// opens a store. It also crashes on an object that contains itself. The bytes may come from anybody, so this
/// reader checks every number.
struct BinaryPropertyList {
  /// The largest depth of nested containers. Real metadata stays far below it, and the stack holds it.
  static let depthLimit = 256
  /// The largest number of values and bytes read beyond the list's own, because objects can be shared. Thirty
  /// arrays, each with the next one twice, would be a billion values.
  static let sharingLimit = 1 << 20

  private let bytes: [UInt8]
  private let count: UInt64
  private let offsets: Int
  private let offsetWidth: Int
  private let referenceWidth: Int
  private var left: Int
  /// The containers being read, the outermost first.
  private var open: [UInt64] = []

  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist0".utf8) }

  static func value(_ bytes: [UInt8]) throws(StoreError) -> MetadataValue {
    guard bytes.count >= 40 else { throw unreadable("it is too short for a property list") }
    var list = try BinaryPropertyList(bytes)
    return try list.value(list.number(at: bytes.count - 16, width: 8))
  }

  private init(_ bytes: [UInt8]) throws(StoreError) {
    self.bytes = bytes
    left = bytes.count + Self.sharingLimit
    let trailer = bytes.count - 32
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetWidth, 1...8 ~= referenceWidth else {
      throw Self.unreadable("its numbers have an impossible width")
    }
    count = Self.number(bytes, at: trailer + 8, width: 8)
    let start = Self.number(bytes, at: trailer + 24, width: 8)
    guard 8...UInt64(trailer) ~= start, count <= (UInt64(trailer) - start) / UInt64(offsetWidth)
    else { throw Self.unreadable("its table of objects is out of its bounds") }
    offsets = Int(start)
  }

  private static func unreadable(_ why: String) -> StoreError {
    StoreError(.corrupt, "The store's metadata cannot be read: \(why).")
  }

  // MARK: - Numbers and places

  private static func number(_ bytes: [UInt8], at place: Int, width: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in bytes[place..<place + width] { number = number << 8 | UInt64(byte) }
    return number
  }

  private func number(at place: Int, width: Int) -> UInt64 {
    Self.number(bytes, at: place, width: width)
  }

  private func place(of object: UInt64) throws(StoreError) -> Int {
    guard object < count else {
      throw Self.unreadable("it names object \(object) and has \(count)")
    }
    let place = number(at: offsets + Int(object) * offsetWidth, width: offsetWidth)
    guard 8..<UInt64(offsets) ~= place else {
      throw Self.unreadable("object \(object) is out of its bounds")
    }
    return Int(place)
  }

  /// The position of a number of items, none of which may lie after the objects.
  private func part(
    from start: Int, pieces: UInt64, width: Int = 1
  ) throws(StoreError) -> Range<Int> {
    guard start <= offsets, pieces <= UInt64((offsets - start) / width) else {
      throw Self.unreadable("an object goes beyond its end")
    }
    return start..<start + Int(pieces) * width
  }

  /// The contents of an object whose size is in its first byte or in a number after it.
  private func contents(of place: Int, width: Int = 1) throws(StoreError) -> Range<Int> {
    let size = bytes[place] & 0xF
    guard size == 0xF else {
      return try part(from: place + 1, pieces: UInt64(size), width: width)
    }
    let marker = try part(from: place + 1, pieces: 1)
    guard bytes[marker.lowerBound] >> 4 == 1 else {
      throw Self.unreadable("the size of an object is no number")
    }
    let number = try scalar(at: marker.lowerBound)
    guard case .integer(let pieces) = try integer(number), pieces >= 0 else {
      throw Self.unreadable("the size of an object is impossible")
    }
    return try part(from: number.upperBound, pieces: UInt64(pieces), width: width)
  }

  /// The contents of a number. Its size is a power of two.
  private func scalar(at place: Int) throws(StoreError) -> Range<Int> {
    let power = bytes[place] & 0xF
    guard power <= 4 else { throw Self.unreadable("a number has 2^\(power) bytes") }
    return try part(from: place + 1, pieces: 1 << UInt64(power))
  }

  // MARK: - Values

  private mutating func value(_ object: UInt64) throws(StoreError) -> MetadataValue {
    let place = try place(of: object)
    try take(1)
    switch bytes[place] >> 4 {
    case 0x0: return try constant(bytes[place])
    case 0x1: return try integer(scalar(at: place))
    case 0x2: return try real(scalar(at: place))
    case 0x3: return try date(scalar(at: place))
    case 0x4: return try .data(Array(bytes[taken(contents(of: place))]))
    case 0x5: return try ascii(taken(contents(of: place)))
    case 0x6: return try utf16(taken(contents(of: place, width: 2)))
    case 0xA, 0xC: return try list(object, contents(of: place, width: referenceWidth))
    case 0xD: return try dictionary(object, at: place)
    case 0x8: throw Self.unreadable("it contains a reference of an archive")
    default:
      throw Self.unreadable("object \(object) has the unknown kind \(bytes[place])")
    }
  }

  private func constant(_ marker: UInt8) throws(StoreError) -> MetadataValue {
    switch marker {
    case 0x8: return .boolean(false)
    case 0x9: return .boolean(true)
    default: throw Self.unreadable("it contains a null or a filler as a value")
    }
  }

  /// One to four bytes are an unsigned number, eight bytes a signed one. Sixteen bytes hold a number that
  /// does not fit into eight, so it becomes a real.
  private func integer(_ part: Range<Int>) throws(StoreError) -> MetadataValue {
    guard part.count == 16 else {
      return .integer(Int64(bitPattern: number(at: part.lowerBound, width: part.count)))
    }
    let high = Int64(bitPattern: number(at: part.lowerBound, width: 8))
    let low = number(at: part.lowerBound + 8, width: 8)
    let small = Int64(bitPattern: low)
    return high == small >> 63 ? .integer(small) : .double(Double(high) * 0x1p64 + Double(low))
  }

  /// A real without a fraction becomes an integer. Foundation converts numbers in the same way.
  private func real(_ part: Range<Int>) throws(StoreError) -> MetadataValue {
    guard part.count == 4 || part.count == 8 else {
      throw Self.unreadable("a real has \(part.count) bytes")
    }
    let bits = number(at: part.lowerBound, width: part.count)
    let real =
      part.count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    return Int64(exactly: real).map { .integer($0) } ?? .double(real)
  }

  private func date(_ part: Range<Int>) throws(StoreError) -> MetadataValue {
    guard part.count == 8 else { throw Self.unreadable("a date has \(part.count) bytes") }
    return .date(Double(bitPattern: number(at: part.lowerBound, width: 8)))
  }

  private func ascii(_ part: Range<Int>) throws(StoreError) -> MetadataValue {
    guard bytes[part].allSatisfy({ $0 < 0x80 }) else {
      throw Self.unreadable("a text is marked as ASCII and is not")
    }
    return .string(String(decoding: bytes[part], as: UTF8.self))
  }

  private func utf16(_ part: Range<Int>) throws(StoreError) -> MetadataValue {
    let units = stride(from: part.lowerBound, to: part.upperBound, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw Self.unreadable("a text is marked as UTF-16 and is not")
    }
    return .string(text)
  }

  // MARK: - Containers

  private mutating func list(
    _ object: UInt64, _ items: Range<Int>
  ) throws(StoreError) -> MetadataValue {
    try enter(object)
    defer { open.removeLast() }
    var list: [MetadataValue] = []
    for place in stride(from: items.lowerBound, to: items.upperBound, by: referenceWidth) {
      list.append(try value(number(at: place, width: referenceWidth)))
    }
    return .list(list)
  }

  /// Reads all keys, and then all values.
  private mutating func dictionary(
    _ object: UInt64, at place: Int
  ) throws(StoreError) -> MetadataValue {
    let references = try contents(of: place, width: 2 * referenceWidth)
    try enter(object)
    defer { open.removeLast() }
    let half = references.count / 2
    var entries: [String: MetadataValue] = [:]
    for place in stride(from: 0, to: half, by: referenceWidth) {
      let key = references.lowerBound + place
      guard case .string(let name) = try value(number(at: key, width: referenceWidth)) else {
        throw Self.unreadable("a key is no text")
      }
      entries[name] = try value(number(at: key + half, width: referenceWidth))
    }
    return .dictionary(entries)
  }

  // MARK: - Limits

  private mutating func enter(_ container: UInt64) throws(StoreError) {
    guard !open.contains(container) else {
      throw Self.unreadable("object \(container) contains itself")
    }
    guard open.count < Self.depthLimit else {
      throw Self.unreadable("it is more than \(Self.depthLimit) containers deep")
    }
    open.append(container)
  }

  private mutating func take(_ size: Int) throws(StoreError) {
    left -= size
    guard left >= 0 else {
      throw Self.unreadable("its shared objects would make too large a value")
    }
  }

  private mutating func taken(_ part: Range<Int>) throws(StoreError) -> Range<Int> {
    try take(part.count)
    return part
  }
}
