// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.8 of the inventory: conflicts and the policies that resolve them.
@Suite struct InventoryConflictTests {
  let container: NSPersistentContainer
  let context: NSManagedObjectContext
  let other: NSManagedObjectContext

  init() throws {
    container = try Notes.container()
    (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
  }

  @Test func policiesHaveCoreDatasNumbers() {
    let kinds: [NSMergePolicyType] = [
      .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
      .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
      .rollbackMergePolicyType,
    ]
    #expect(kinds.map(\.rawValue) == [0, 1, 2, 3, 4])
    let newer: [NSMergePolicy] = [
      .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]
    #expect(newer.map(\.mergeType) == kinds)
    let older: [AnyObject] = [
      NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy,
      NSMergeByPropertyObjectTrumpMergePolicy, NSOverwriteMergePolicy, NSRollbackMergePolicy,
    ]
    #expect(older.compactMap { $0 as? NSMergePolicy } == newer)
    #expect(NSMergePolicy(merge: .overwriteMergePolicyType).mergeType == .overwriteMergePolicyType)
    let _: (NSMergePolicy) -> ([Any]) throws -> Void = NSMergePolicy.resolve(mergeConflicts:)
    let _: (NSMergePolicy) -> ([NSMergeConflict]) throws -> Void =
      NSMergePolicy.resolve(optimisticLockingConflicts:)
    let _: (NSMergePolicy) -> ([NSConstraintConflict]) throws -> Void =
      NSMergePolicy.resolve(constraintConflicts:)
  }

  /// The conflicts of a save that the policy refuses.
  private func conflicts(_ code: Int) throws -> [Any]? {
    let error = try #require(throws: (any Error).self) { try context.save() } as NSError
    #expect(error.code == code)
    return error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any]
  }

  /// Two contexts change the title of a note in a folder.
  private func collide() throws -> Note {
    let note = Note(context: context)
    note.title = "A"
    note.folder = Folder(context, name: "Box")
    try context.save()
    let same = try #require(try other.existingObject(with: note.objectID) as? Note)
    same.title = "B"
    try other.save()
    note.title = "C"
    return note
  }

  @Test func aMergeConflictHasSnapshots() throws {
    let note = try collide()
    let listed = try conflicts(NSManagedObjectMergeError)
    let conflict = try #require(listed?.first as? NSMergeConflict)
    let source: NSManagedObject = conflict.sourceObject
    let snapshots: [[String: Any]?] = [
      conflict.objectSnapshot, conflict.cachedSnapshot, conflict.persistedSnapshot,
    ]
    let (new, old): (Int, Int) = (conflict.newVersionNumber, conflict.oldVersionNumber)
    #expect(source === note && new == old + 1)
    #expect(snapshots.map { $0?["title"] as? String } == ["C", "A", "B"])
    let folder = snapshots.map { $0?["folder"] as? NSManagedObjectID }
    #expect(folder.compactMap(\.self).allSatisfy { $0 == note.folder?.objectID })
    #expect(snapshots.allSatisfy { $0?["tags"] == nil && $0?["folder"] is NSManagedObjectID })
  }

  @Test func aMergeConflictIsMade() throws {
    let note = Note(context: context)
    note.title = "A"
    let conflict = NSMergeConflict(
      source: note, newVersion: 2, oldVersion: 1, cachedSnapshot: ["title": "B"],
      persistedSnapshot: nil)
    #expect(conflict.sourceObject === note && conflict.objectSnapshot?["title"] as? String == "A")
    #expect(conflict.cachedSnapshot?["title"] as? String == "B")
    #expect(conflict.persistedSnapshot == nil)
    #expect(conflict.newVersionNumber == 2 && conflict.oldVersionNumber == 1)
  }

  private func tag(_ name: String, in context: NSManagedObjectContext) -> NSManagedObject {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(name, forKey: "name")
    return tag
  }

  @Test func aConstraintConflictHasSnapshots() throws {
    let first = tag("red", in: other)
    try other.save()
    let second = tag("red", in: context)
    let listed = try conflicts(NSManagedObjectConstraintMergeError)
    let conflict = try #require(listed?.first as? NSConstraintConflict)
    let (names, values): ([String], [String: Any]) = (
      conflict.constraint, conflict.constraintValues
    )
    let stored: NSManagedObject? = conflict.databaseObject
    let snapshot: [String: Any]? = conflict.databaseSnapshot
    let objects: [NSManagedObject] = conflict.conflictingObjects
    let snapshots: [[AnyHashable: Any]] = conflict.conflictingSnapshots
    #expect(names == ["name"] && values as? [String: String] == ["name": "red"])
    #expect(stored?.objectID == first.objectID && snapshot?["name"] as? String == "red")
    #expect(objects == [second] && snapshots.count == 1)
  }

  @Test func aConstraintConflictIsMade() {
    let red = tag("red", in: context)
    let conflict = NSConstraintConflict(
      constraint: ["name"], database: nil, databaseSnapshot: nil, conflicting: [red],
      conflictingSnapshots: [["name": "red"]])
    #expect(conflict.constraint == ["name"] && conflict.conflictingObjects == [red])
    #expect(conflict.constraintValues as? [String: String] == ["name": "red"])
    #expect(conflict.conflictingSnapshots.first?["name"] as? String == "red")
    #expect(conflict.databaseObject == nil && conflict.databaseSnapshot == nil)
  }
}
