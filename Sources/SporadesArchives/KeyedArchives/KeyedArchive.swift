// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects of a keyed archive, which is a property list of this form:
///
/// ```text
/// $archiver  NSKeyedArchiver
/// $version   100000
/// $top       { root: the number of the outermost object }
/// $objects   [ "$null", object, object, … ]
/// ```
///
/// An object is a scalar, or a dictionary of its fields whose `$class` leads to the name of its class. The
/// reader makes no instance of any class: it shows the fields, and its caller decides what they mean.
package final class KeyedArchive: Sendable {
  /// The number of fields and items that may be looked at. A real model of 57 entities has 60,000 look-ups, each
  /// among some ten fields. Objects that are shared, or have a million fields, could else keep a reader busy for ever.
  private static let lookUpLimit = 16 << 20
  /// The largest number of objects. A few kilobytes of compressed bytes could else fill gigabytes.
  private static let objectLimit = 1 << 20

  private let list: BinaryPropertyList
  private let lookUpsLeft = Guarded(KeyedArchive.lookUpLimit)
  private let objects: [Int]
  private let rootNumber: Int

  package init(_ bytes: [UInt8]) throws(PropertyListError) {
    list = try BinaryPropertyList(bytes, objectLimit: Self.objectLimit)
    guard case .dictionary(let fields) = list.objects[list.top],
      let objects = Self.entry("$objects", of: fields, list),
      case .list(let numbers) = list.objects[objects]
    else { throw PropertyListError("it is a property list and no archive") }
    self.objects = numbers
    guard let top = Self.entry("$top", of: fields, list),
      case .dictionary(let roots) = list.objects[top],
      let root = Self.entry("root", of: roots, list)
    else { throw PropertyListError("the archive has no outermost object") }
    rootNumber = root
  }

  /// The outermost object.
  package var root: ArchivedValue {
    get throws(PropertyListError) {
      guard let root = try value(rootNumber) else {
        throw PropertyListError("the archive's outermost object is nothing")
      }
      return root
    }
  }

  /// All objects of a class, in the order of the archive.
  package func objects(ofClass name: String) throws(PropertyListError) -> [ArchivedValue] {
    var found: [ArchivedValue] = []
    for number in objects {
      let value = ArchivedValue(archive: self, number: number)
      if try value.className == name { found.append(value) }
    }
    return found
  }

  private static func entry(
    _ name: String, of fields: [PropertyListObject.Entry], _ list: BinaryPropertyList
  ) -> Int? {
    for field in fields {
      if case .string(name) = list.objects[field.key] { return field.value }
    }
    return nil
  }

  func object(_ number: Int) -> PropertyListObject { list.objects[number] }

  /// The value of a field, and of the object it names; nil for the object that stands for nothing.
  func value(_ number: Int) throws(PropertyListError) -> ArchivedValue? {
    try look(at: 1)
    guard case .reference(let index) = list.objects[number] else {
      return ArchivedValue(archive: self, number: number)
    }
    guard objects.indices.contains(index) else {
      throw PropertyListError("it names object \(index) and has \(objects.count)")
    }
    let target = objects[index]
    if case .reference = list.objects[target] {
      throw PropertyListError("object \(index) is a reference itself")
    }
    return index == 0 ? nil : ArchivedValue(archive: self, number: target)
  }

  func field(
    _ name: String, of fields: [PropertyListObject.Entry]
  ) throws(PropertyListError) -> ArchivedValue? {
    try look(at: fields.count)
    guard let number = Self.entry(name, of: fields, list) else { return nil }
    return try value(number)
  }

  private func look(at count: Int) throws(PropertyListError) {
    let isAllowed = lookUpsLeft.withLock { left in
      guard left >= count else { return false }
      left -= count
      return true
    }
    guard isAllowed else {
      throw PropertyListError("its shared objects would make too large a model")
    }
  }
}
