// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// Keyed archives in the hands of transformers.
enum Archive {
  /// Reads an object. A value that is no archive gives nil, and a sentence on standard error.
  static func read(
    _ value: Any?, by transformer: ValueTransformer.Type, _ body: (Data) throws -> Any?
  ) -> Any? {
    guard let value = KeyedValue.unwrapped(value) else { return nil }
    guard let data = value as? Data else {
      trap("\(transformer).transformedValue(_:) takes Data, and was given a \(type(of: value)).")
    }
    do { return try body(data) } catch {
      writeToStandardError(
        "Sporades: \(transformer) cannot read an archive of \(data.count) bytes: \(error)\n")
      return nil
    }
  }

  /// Archives an object. An object that cannot be archived ends the program.
  static func write(_ value: Any?, by transformer: ValueTransformer.Type, isSecure: Bool) -> Any? {
    guard let value = KeyedValue.unwrapped(value) else { return nil }
    do {
      return try NSKeyedArchiver.archivedData(
        withRootObject: value, requiringSecureCoding: isSecure)
    } catch {
      trap("\(transformer) cannot archive a \(type(of: value)): \(error)")
    }
  }

  /// Throws for an archive whose object, or a member of whose collections, is of another class. Foundation on Linux ends the
  /// process there.
  static func check(_ data: Data, _ allowed: [AnyClass]) throws {
    let list = try unsafe PropertyListSerialization.propertyList(
      from: data, options: [], format: nil)
    guard let list = list as? [String: Any], let objects = list["$objects"] as? [Any],
      let root = (list["$top"] as? [String: Any])?["root"]
    else { throw ArchiveError(detail: "It is a property list, and no keyed archive.") }
    var places = [try place(root)]
    var seen: Set<Int> = []
    while let place = places.popLast() {
      guard seen.insert(place).inserted else { continue }
      places += try checkObject(at: place, in: objects, allowed)
    }
  }

  /// Checks one object, and returns the places of its members if it is a collection.
  private static func checkObject(
    at place: Int, in objects: [Any], _ allowed: [AnyClass]
  ) throws -> [Int] {
    guard objects.indices.contains(place) else {
      throw ArchiveError(detail: "It refers to an object that it does not have.")
    }
    guard let object = objects[place] as? [String: Any], let classMark = object["$class"] else {
      try checkLeaf(objects[place], allowed)
      return []
    }
    let classPlace = try self.place(classMark)
    guard objects.indices.contains(classPlace),
      let name = (objects[classPlace] as? [String: Any])?["$classname"] as? String
    else { throw ArchiveError(detail: "An object's class is missing.") }
    guard let type = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name) else {
      throw ArchiveError(detail: "The class \(name) does not exist here.")
    }
    guard allowed.contains(where: { isKind(type, of: $0) }) else {
      throw notAllowed(name)
    }
    guard (type as? any NSSecureCoding.Type)?.supportsSecureCoding == true else {
      throw ArchiveError(detail: "The class \(name) does not support secure coding.")
    }
    let collections: [AnyClass] = [NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self]
    guard collections.contains(where: { isKind(type, of: $0) }) else { return [] }
    let members = ["NS.objects", "NS.keys"].flatMap { object[$0] as? [Any] ?? [] }
    return try members.map(self.place)
  }

  /// Checks a text, a number or bytes, whose class an archive does not name.
  private static func checkLeaf(_ leaf: Any, _ allowed: [AnyClass]) throws {
    let type: AnyClass? =
      switch leaf {
      case "$null" as String: nil
      case is String: NSString.self
      case is NSNumber: NSNumber.self
      case is Data: NSData.self
      default: nil
      }
    guard let type, !allowed.contains(where: { isKind(type, of: $0) }) else { return }
    throw notAllowed("\(type)")
  }

  private static func notAllowed(_ name: String) -> ArchiveError {
    ArchiveError(
      detail:
        "The class \(name) is not allowed. Add it to allowedTopLevelClasses of the transformer.")
  }

  /// The place of an object that a reference of an archive names. Foundation shows it to a mirror alone.
  private static func place(_ reference: Any) throws -> Int {
    let value = Mirror(reflecting: reference).children.first { $0.label == "value" }?.value
    guard let number = value as? any BinaryInteger, let place = Int(exactly: number) else {
      throw ArchiveError(detail: "A reference in it cannot be read.")
    }
    return place
  }

  private static func isKind(_ type: AnyClass, of wanted: AnyClass) -> Bool {
    var level: AnyClass? = type
    while let known = level {
      if known == wanted { return true }
      level = _getSuperclass(known)
    }
    return false
  }
}

/// The reason why an archive is not read.
struct ArchiveError: DescribedError {
  let detail: String
  var description: String { detail }
}
