// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import SporadesMissingFoundation
import SporadesModel

/// Names a class of managed objects as a model does: with its module and the types around it. Foundation's function ends the program for a
/// class within another type.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String {
  aClass == NSManagedObject.self ? "NSManagedObject" : String(reflecting: aClass)
}

/// Finds the classes of entities by the names that models have for them.
enum ClassNames {
  /// The class of an entity's objects. A name without a module stands for the only class of that name in the program.
  static func type(named name: String, of entity: String) -> NSManagedObject.Type {
    let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
    if plain.isEmpty || plain == "NSManagedObject" || plain == "CoreData.NSManagedObject" {
      return NSManagedObject.self
    }
    let found = candidates(plain)
    let exact = found.filter { String(reflecting: $0) == plain }
    let fitting =
      exact.isEmpty ? found.filter { !plain.contains(".") || hasSuffix($0, plain) } : exact
    switch fitting.count {
    case 1: return fitting[0]
    case 0:
      // Core Data takes NSManagedObject, too, and says so.
      MissingClasses.note(plain, of: entity)
      return NSManagedObject.self
    default: return preferred(fitting, plain, entity)
    }
  }

  /// The name of an entity, of which code may have the name of its class with the module: the name of a class marked as `@objc(Note)` is
  /// `Note` on Apple's platforms, and `App.Note` here. No entity has a name with a dot.
  static func entityName(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), named(name) != nil else { return name }
    return String(name[name.index(after: dot)...])
  }

  /// The classes of the program whose own names are the last part of a name.
  private static func candidates(_ name: String) -> [NSManagedObject.Type] {
    var types: [NSManagedObject.Type] = []
    if let known = named(name) { types.append(known) }
    for case let type as NSManagedObject.Type in ProgramClasses.named(name)
    where !types.contains(where: { $0 == type }) {
      types.append(type)
    }
    return types
  }

  /// The class with exactly this name. Foundation finds those that are in no other type.
  private static func named(_ name: String) -> NSManagedObject.Type? {
    if name.split(separator: ".").count < 3 {
      return NSClassFromString(name) as? NSManagedObject.Type
    }
    return ProgramClasses.named(name).lazy.compactMap { $0 as? NSManagedObject.Type }
      .first { String(reflecting: $0) == name }
  }

  /// Whether the type lies in the module that the name begins with.
  private static func hasSuffix(_ type: NSManagedObject.Type, _ name: String) -> Bool {
    let full = String(reflecting: type)
    guard let module = name.split(separator: ".").first else { return false }
    return full.hasSuffix(".\(name)") || full.hasPrefix("\(module).")
  }

  /// The class of the program's own module among several of one name.
  private static func preferred(
    _ types: [NSManagedObject.Type], _ name: String, _ entity: String
  ) -> NSManagedObject.Type {
    let main = ProcessInfo.processInfo.processName
    if let own = types.first(where: { String(reflecting: $0).hasPrefix("\(main).") }) { return own }
    let names = types.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
    trap(
      "The model names the class \(name) for the entity \(entity), and the program has several: \(names). Set managedObjectClassName to one of these names."
    )
  }
}

/// The classes that models name and the program does not have, each told once.
private enum MissingClasses {
  private static let told = Guarded<Set<String>>([])

  static func note(_ name: String, of entity: String) {
    guard told.withLock({ $0.insert(name).inserted }) else { return }
    writeToStandardError(
      "CoreData: the program has no class \(name), which the model names for the entity \(entity). Its objects are of the class NSManagedObject.\n"
    )
  }
}
