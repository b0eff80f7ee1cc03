// SPDX-License-Identifier: MIT
import SporadesModel

/// Makes a value of the objects of a property list. Objects may be shared, so the reader bounds what they add up
/// to.
struct MetadataReader {
  private let list: BinaryPropertyList
  private var left: Int
  /// The containers being read, the outermost first.
  private var open: [Int] = []

  init(_ list: BinaryPropertyList, left: Int) {
    self.list = list
    self.left = left
  }

  mutating func value(_ number: Int) throws(PropertyListError) -> MetadataValue {
    try take(1)
    switch list.objects[number] {
    case .null: throw PropertyListError("it contains a null as a value")
    case .reference: throw PropertyListError("it contains a reference of an archive")
    case .boolean(let truth): return .boolean(truth)
    case .integer(let integer): return .integer(integer)
    // A real without a fraction becomes an integer. Foundation converts numbers in the same way.
    case .double(let real): return Int64(exactly: real).map { .integer($0) } ?? .double(real)
    case .date(let seconds): return .date(seconds)
    case .string(let text):
      try take(text.utf8.count)
      return .string(text)
    case .data(let bytes):
      try take(bytes.count)
      return .data(bytes)
    case .list(let items):
      return try inside(number) { reader throws(PropertyListError) in
        var values: [MetadataValue] = []
        for item in items { values.append(try reader.value(item)) }
        return .list(values)
      }
    case .dictionary(let entries):
      return try inside(number) { reader throws(PropertyListError) in
        .dictionary(try reader.dictionary(entries))
      }
    }
  }

  private mutating func dictionary(
    _ entries: [PropertyListObject.Entry]
  ) throws(PropertyListError) -> [String: MetadataValue] {
    var values: [String: MetadataValue] = [:]
    for entry in entries {
      guard case .string(let name) = list.objects[entry.key] else {
        throw PropertyListError("a key is no text")
      }
      try take(1 + name.utf8.count)
      values[name] = try value(entry.value)
    }
    return values
  }

  private mutating func inside(
    _ container: Int,
    _ body: (inout Self) throws(PropertyListError) -> MetadataValue
  ) throws(PropertyListError) -> MetadataValue {
    guard !open.contains(container) else {
      throw PropertyListError("object \(container) contains itself")
    }
    guard open.count < BinaryPropertyList.depthLimit else {
      throw PropertyListError("it is more than \(BinaryPropertyList.depthLimit) containers deep")
    }
    open.append(container)
    defer { open.removeLast() }
    return try body(&self)
  }

  private mutating func take(_ size: Int) throws(PropertyListError) {
    left -= size
    guard left >= 0 else {
      throw PropertyListError("its shared objects would make too large a value")
    }
  }
}
