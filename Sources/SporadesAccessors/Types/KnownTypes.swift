// SPDX-License-Identifier: MIT

/// The public types of the modules that come with Swift, and of `CoreData`.
enum KnownTypes {
  /// The types whose outermost name is this, by their whole path.
  private static let nominals: [String: Nominal] = {
    var found: [String: Nominal] = [:]
    for row in rows + coreData {
      for name in row.names.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        let path = name.split(separator: ".").map(String.init)
        // Nested types come in a second round: the row of their outer type may follow later.
        // Of two modules with the same name, programs see the earlier one's.
        if path.count == 1, found[path[0]] == nil {
          found[path[0]] = Nominal(.module(row.module), path[0], row.kind)
        }
      }
    }
    for row in rows + coreData {
      for name in row.names.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        let path = name.split(separator: ".").map(String.init)
        guard path.count == 2, let outer = found[path[0]] else { continue }
        found[String(name)] = Nominal(.type(outer), path[1], row.kind)
      }
    }
    return found
  }()

  /// Modules whose names can stand before those of types.
  static let modules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "Dispatch",
    "CoreData", "CoreFoundation",
  ]

  /// Other names of types.
  private static let aliases: [String: String] = [
    "TimeInterval": "Double", "NSRange": "_NSRange", "NSPoint": "CGPoint", "NSSize": "CGSize",
    "NSRect": "CGRect", "NSErrorDomain": "NSString", "unichar": "UInt16", "Float32": "Float",
    "Float64": "Double", "CBool": "Bool", "CChar": "Int8", "CSignedChar": "Int8",
    "CUnsignedChar": "UInt8", "CShort": "Int16", "CUnsignedShort": "UInt16", "CInt": "Int32",
    "CUnsignedInt": "UInt32", "CLong": "Int", "CUnsignedLong": "UInt", "CLongLong": "Int64",
    "CUnsignedLongLong": "UInt64", "CFloat": "Float", "CDouble": "Double",
    "UnicodeScalar": "Unicode.Scalar", "StringLiteralType": "String", "IntegerLiteralType": "Int",
    "FloatLiteralType": "Double", "BooleanLiteralType": "Bool",
    "Notification.Name": "NSNotification.Name",
    "NSDecimalNumber.RoundingMode": "Decimal.RoundingMode",
  ]

  private static let coreData = [
    Row(
      module: "CoreData", kind: .class,
      names: """
        NSManagedObject NSManagedObjectContext NSManagedObjectID NSManagedObjectModel
        NSPersistentStoreCoordinator NSPersistentContainer NSPersistentStore
        NSPersistentStoreDescription NSEntityDescription NSPropertyDescription
        NSAttributeDescription NSRelationshipDescription NSFetchedPropertyDescription
        NSExpressionDescription NSFetchRequest NSFetchedResultsController NSMergeConflict
        NSMergePolicy NSAtomicStore NSIncrementalStore NSMappingModel NSEntityMapping
        NSPropertyMapping NSEntityMigrationPolicy NSMigrationManager NSQueryGenerationToken
        """),
    Row(
      module: "CoreData", kind: .protocol,
      names: "NSFetchRequestResult NSFetchedResultsControllerDelegate"),
    Row(
      module: "CoreData", kind: .enum,
      names: "NSAttributeType NSDeleteRule NSFetchedResultsChangeType"),
  ]

  /// Protocols that imply others.
  private static let implied: [String: [String]] = [
    "NSSecureCoding": ["NSCoding"], "Error": ["Sendable"], "Hashable": ["Equatable"],
    "Comparable": ["Equatable"], "LocalizedError": ["Error", "Sendable"], "Actor": ["Sendable"],
    "CodingKey": ["Sendable", "CustomStringConvertible", "CustomDebugStringConvertible"],
  ]

  /// The type with the path; nil for one that is not known.
  static func type(_ path: [String]) -> Nominal? {
    let name = path.joined(separator: ".")
    return nominals[aliases[name] ?? name]
  }

  /// The known protocols that a known protocol refines.
  static func implied(by one: Nominal) -> Set<Nominal> {
    guard modules.contains(one.module) else { return [] }
    return Set((implied[one.name] ?? []).compactMap { type([$0]) })
  }
}
