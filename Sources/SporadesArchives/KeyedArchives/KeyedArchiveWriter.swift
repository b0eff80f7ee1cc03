// SPDX-License-Identifier: MIT

/// Collects the objects of a keyed archive, whose form ``KeyedArchive`` describes. Equal texts and numbers are
/// written once, as Apple's archiver does.
struct KeyedArchiveWriter {
  /// The place of an object among the objects of the archive.
  struct Reference: Hashable, Sendable {
    let number: Int
    /// The object that stands for nothing.
    static let nothing = Reference(number: 0)
  }

  private var objects: [PropertyListTree] = [.string("$null")]
  private var scalars: [[UInt8]: Reference] = [:]
  private var classes: [String: Reference] = [:]

  /// The bytes of an archive with the outermost object.
  consuming func bytes(root: Reference) -> [UInt8] {
    BinaryPropertyListWriter.bytes(
      of: .dictionary([
        .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary([.init("root", .reference(root.number))])),
        .init("$objects", .list(objects)),
      ]))
  }

  // MARK: - Scalars

  mutating func text(_ text: String?) -> Reference {
    guard let text else { return .nothing }
    return scalar(.string(text))
  }

  mutating func scalar(_ scalar: PropertyListTree) -> Reference {
    let bytes = BinaryPropertyListWriter.bytes(ofScalar: scalar)
    if let reference = scalars[bytes] { return reference }
    let reference = append(scalar)
    scalars[bytes] = reference
    return reference
  }

  // MARK: - Objects

  /// Takes the place of an object whose fields are given later, because they lead back to it.
  mutating func reserve() -> Reference { append(.dictionary([])) }

  mutating func object(_ type: ArchivedClass, _ fields: [PropertyListTree.Entry]) -> Reference {
    let reference = reserve()
    fill(reference, type, fields)
    return reference
  }

  mutating func fill(
    _ reference: Reference, _ type: ArchivedClass, _ fields: [PropertyListTree.Entry]
  ) {
    let description = describe(type)
    objects[reference.number] = .dictionary(
      fields + [.init("$class", .reference(description.number))])
  }

  private mutating func describe(_ type: ArchivedClass) -> Reference {
    if let reference = classes[type.name] { return reference }
    let names = [type.name] + type.superclasses + ["NSObject"]
    let reference = append(
      .dictionary([
        .init("$classname", .string(type.name)),
        .init("$classes", .list(names.map { .string($0) })),
      ]))
    classes[type.name] = reference
    return reference
  }

  private mutating func append(_ object: PropertyListTree) -> Reference {
    objects.append(object)
    return Reference(number: objects.count - 1)
  }

  /// Adds what `body` adds, or nothing if it returns nil.
  mutating func attempt(_ body: (inout Self) -> Reference?) -> Reference? {
    let count = objects.count
    if let reference = body(&self) { return reference }
    objects.removeLast(objects.count - count)
    scalars = scalars.filter { $0.value.number < count }
    classes = classes.filter { $0.value.number < count }
    return nil
  }

  // MARK: - Collections

  mutating func list(_ items: [Reference], _ type: ArchivedClass = .mutableArray) -> Reference {
    object(type, [.init("NS.objects", Self.references(items))])
  }

  mutating func dictionary(
    _ entries: [(key: Reference, value: Reference)], _ type: ArchivedClass = .mutableDictionary
  ) -> Reference {
    object(
      type,
      [
        .init("NS.keys", Self.references(entries.map(\.key))),
        .init("NS.objects", Self.references(entries.map(\.value))),
      ])
  }

  static func references(_ items: [Reference]) -> PropertyListTree {
    .list(items.map { .reference($0.number) })
  }
}

/// A class of Apple's frameworks with its superclasses, without the root of all classes.
struct ArchivedClass {
  let name: String
  let superclasses: [String]

  init(_ name: String, _ superclasses: String...) {
    self.name = name
    self.superclasses = superclasses
  }

  static let array = ArchivedClass("NSArray")
  static let mutableArray = ArchivedClass("NSMutableArray", "NSArray")
  static let dictionary = ArchivedClass("NSDictionary")
  static let mutableDictionary = ArchivedClass("NSMutableDictionary", "NSDictionary")
  static let set = ArchivedClass("NSSet")
}

extension PropertyListTree.Entry {
  init(_ key: String, _ reference: KeyedArchiveWriter.Reference) {
    self.init(key, .reference(reference.number))
  }
}
