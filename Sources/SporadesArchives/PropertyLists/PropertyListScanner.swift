// SPDX-License-Identifier: MIT

/// Reads the objects of a binary property list, one after the other.
struct PropertyListScanner {
  /// The number of the outermost object.
  let top: Int
  /// The number of objects.
  let count: Int
  private let bytes: [UInt8]
  private let offsets: Int
  private let offsetWidth: Int
  private let referenceWidth: Int
  /// The number of items and bytes that may still be read. Objects that overlap could else fill all memory.
  private var left: Int

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    self.bytes = bytes
    left = bytes.count + BinaryPropertyList.sharingLimit
    let trailer = bytes.count - 32
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetWidth, 1...8 ~= referenceWidth else {
      throw PropertyListError("its numbers have an impossible width")
    }
    let count = Self.number(bytes, at: trailer + 8, width: 8)
    let start = Self.number(bytes, at: trailer + 24, width: 8)
    guard 8...UInt64(trailer) ~= start, count <= (UInt64(trailer) - start) / UInt64(offsetWidth)
    else { throw PropertyListError("its table of objects is out of its bounds") }
    self.count = Int(count)
    offsets = Int(start)
    top = try Self.check(Self.number(bytes, at: trailer + 16, width: 8), self.count)
  }

  mutating func objects() throws(PropertyListError) -> [PropertyListObject] {
    var objects: [PropertyListObject] = []
    objects.reserveCapacity(count)
    for number in 0..<count { objects.append(try object(number)) }
    return objects
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

  private static func check(_ number: UInt64, _ count: Int) throws(PropertyListError) -> Int {
    guard number < UInt64(count) else {
      throw PropertyListError("it names object \(number) and has \(count)")
    }
    return Int(number)
  }

  private func place(of object: Int) throws(PropertyListError) -> Int {
    let place = number(at: offsets + object * offsetWidth, width: offsetWidth)
    guard 8..<UInt64(offsets) ~= place else {
      throw PropertyListError("object \(object) is out of its bounds")
    }
    return Int(place)
  }

  /// The position of a number of items, none of which may lie after the objects.
  private func part(
    from start: Int, pieces: UInt64, width: Int = 1
  ) throws(PropertyListError) -> Range<Int> {
    guard start <= offsets, pieces <= UInt64((offsets - start) / width) else {
      throw PropertyListError("an object goes beyond its end")
    }
    return start..<start + Int(pieces) * width
  }

  /// The contents of an object whose size is in its first byte or in a number after it.
  private func contents(of place: Int, width: Int = 1) throws(PropertyListError) -> Range<Int> {
    let size = bytes[place] & 0xF
    guard size == 0xF else {
      return try part(from: place + 1, pieces: UInt64(size), width: width)
    }
    let marker = try part(from: place + 1, pieces: 1)
    guard bytes[marker.lowerBound] >> 4 == 1 else {
      throw PropertyListError("the size of an object is no number")
    }
    let number = try scalar(at: marker.lowerBound)
    guard case .integer(let pieces) = integer(number), pieces >= 0 else {
      throw PropertyListError("the size of an object is impossible")
    }
    return try part(from: number.upperBound, pieces: UInt64(pieces), width: width)
  }

  /// The contents of a number. Its size is a power of two.
  private func scalar(at place: Int) throws(PropertyListError) -> Range<Int> {
    let power = bytes[place] & 0xF
    guard power <= 4 else { throw PropertyListError("a number has 2^\(power) bytes") }
    return try part(from: place + 1, pieces: 1 << UInt64(power))
  }

  // MARK: - Objects

  private mutating func object(_ object: Int) throws(PropertyListError) -> PropertyListObject {
    let place = try place(of: object)
    switch bytes[place] >> 4 {
    case 0x0: return try constant(bytes[place])
    case 0x1: return try integer(scalar(at: place))
    case 0x2: return try real(scalar(at: place))
    case 0x3: return try date(scalar(at: place))
    case 0x4: return try .data(Array(bytes[taken(contents(of: place))]))
    case 0x5: return try ascii(taken(contents(of: place)))
    case 0x6: return try utf16(taken(contents(of: place, width: 2)))
    case 0x8: return try reference(part(from: place + 1, pieces: UInt64(bytes[place] & 0xF) + 1))
    case 0xA, 0xC: return try .list(numbers(taken(contents(of: place, width: referenceWidth))))
    case 0xD: return try dictionary(taken(contents(of: place, width: 2 * referenceWidth)))
    default:
      throw PropertyListError("object \(object) has the unknown kind \(bytes[place])")
    }
  }

  private func constant(_ marker: UInt8) throws(PropertyListError) -> PropertyListObject {
    switch marker {
    case 0x0: return .null
    case 0x8: return .boolean(false)
    case 0x9: return .boolean(true)
    default: throw PropertyListError("it contains a filler as a value")
    }
  }

  /// One to four bytes are an unsigned number, eight bytes a signed one. Sixteen bytes hold a number that
  /// does not fit into eight, so it becomes a real.
  private func integer(_ part: Range<Int>) -> PropertyListObject {
    guard part.count == 16 else {
      return .integer(Int64(bitPattern: number(at: part.lowerBound, width: part.count)))
    }
    let high = Int64(bitPattern: number(at: part.lowerBound, width: 8))
    let low = number(at: part.lowerBound + 8, width: 8)
    let small = Int64(bitPattern: low)
    return high == small >> 63 ? .integer(small) : .double(Double(high) * 0x1p64 + Double(low))
  }

  private func real(_ part: Range<Int>) throws(PropertyListError) -> PropertyListObject {
    guard part.count == 4 || part.count == 8 else {
      throw PropertyListError("a real has \(part.count) bytes")
    }
    let bits = number(at: part.lowerBound, width: part.count)
    return .double(
      part.count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits))
  }

  private func date(_ part: Range<Int>) throws(PropertyListError) -> PropertyListObject {
    guard part.count == 8 else { throw PropertyListError("a date has \(part.count) bytes") }
    return .date(Double(bitPattern: number(at: part.lowerBound, width: 8)))
  }

  private func ascii(_ part: Range<Int>) throws(PropertyListError) -> PropertyListObject {
    guard bytes[part].allSatisfy({ $0 < 0x80 }) else {
      throw PropertyListError("a text is marked as ASCII and is not")
    }
    return .string(String(decoding: bytes[part], as: UTF8.self))
  }

  private func utf16(_ part: Range<Int>) throws(PropertyListError) -> PropertyListObject {
    let units = stride(from: part.lowerBound, to: part.upperBound, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw PropertyListError("a text is marked as UTF-16 and is not")
    }
    return .string(text)
  }

  private func reference(_ part: Range<Int>) throws(PropertyListError) -> PropertyListObject {
    guard part.count <= 8,
      let object = Int(exactly: number(at: part.lowerBound, width: part.count))
    else { throw PropertyListError("a reference of an archive is too large") }
    return .reference(object)
  }

  // MARK: - Containers

  private func numbers(_ items: Range<Int>) throws(PropertyListError) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(items.count / referenceWidth)
    for place in stride(from: items.lowerBound, to: items.upperBound, by: referenceWidth) {
      numbers.append(try Self.check(number(at: place, width: referenceWidth), count))
    }
    return numbers
  }

  /// Reads all keys, and then all values.
  private func dictionary(_ items: Range<Int>) throws(PropertyListError) -> PropertyListObject {
    let numbers = try numbers(items)
    let half = numbers.count / 2
    return .dictionary((0..<half).map { .init(key: numbers[$0], value: numbers[half + $0]) })
  }

  private mutating func taken(_ part: Range<Int>) throws(PropertyListError) -> Range<Int> {
    left -= part.count
    guard left >= 0 else {
      throw PropertyListError("its shared objects would make too large a value")
    }
    return part
  }
}
