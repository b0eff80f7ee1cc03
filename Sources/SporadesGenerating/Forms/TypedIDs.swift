// SPDX-License-Identifier: MIT
import SporadesModelFiles

/// Writes a type for the ids of each class, as mogenerator does: `CustomerID` for `Customer`.
///
/// Mogenerator makes a subclass of Core Data's ids and lets the compiler believe that ids are of it. Swift checks the
/// class of a value, so the type here is a struct with the id in it.
struct TypedIDs {
  private let form: GenerationOptions.Form
  private let access: String
  /// The names of the types by the names of the entities.
  private var names: [String: String] = [:]

  /// `taken` are the names that classes and properties have.
  init(_ options: GenerationOptions, classes: [String: String], taken: Set<String>) {
    (form, access) = (options.form, options.access)
    guard options.hasTypedIDs else { return }
    var taken = taken.union(classes.values)
    for (entity, type) in classes.sorted(by: { $0.key < $1.key }) {
      var name = type + "ID"
      while !SwiftText.canDeclare(type: name) || !taken.insert(name).inserted { name += "_" }
      names[entity] = name
    }
  }

  /// The name of the type for an entity's ids; nil if there is none.
  func name(of entity: String) -> String? { names[entity] }

  /// The struct below a class, which begins with a line break; empty if nobody asks for one.
  func declaration(of entity: String, _ type: String) -> String {
    guard let name = names[entity] else { return "" }
    let (id, context, find) =
      form == .entity
      ? ("ManagedObjectID", "some FinderContext", "context.managedObjectContext.existingObject")
      : ("NSManagedObjectID", "NSManagedObjectContext", "context.existingObject")
    let isolation = form == .entity ? "nonisolated " : ""
    return """

      /// The id of an object of the class \(type).
      \(access)\(isolation)struct \(name): Hashable, Sendable {
        \(access)let objectID: \(id)

        \(access)init(_ object: \(type)) { objectID = object.objectID }

        /// Finds the object in a context; nil if it has another class there. Throws if there is none.
        \(access)func object(in context: \(context)) throws -> \(type)? {
          try \(find)(with: objectID) as? \(type)
        }
      }

      """
  }
}
