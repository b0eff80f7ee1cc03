// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore

/// The answers of a program about its objects.
protocol IndexHooks: AnyObject, Sendable {
  /// The number of the way in which the program makes attributes.
  var version: Int { get }
  /// The program asks for the changes of objects that are not in the index, too.
  var wantsAllChanges: Bool { get }

  func domainIdentifier(for object: ManagedObject) throws -> String?
  func attributes(for object: ManagedObject) throws -> IndexAttributes?
  func affectedObjects(
    by changes: [PersistentHistoryChange], in context: ManagedObjectContext
  ) throws -> [ManagedObjectID]
}
