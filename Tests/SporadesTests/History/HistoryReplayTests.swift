// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesTesting
import Testing

/// Random saves of several contexts, followed by a mirror that knows nothing but the history: which objects came, changed
/// in which properties, and went. It reads the named properties alone, and has the state of the store in the end.
@Suite struct HistoryReplayTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    arguments: [HistoryStoreKind.file, .memory, .coordinator] + HistoryStoreKind.servers,
    [UInt64(1), 2, 3, 4])
  func aMirrorHasTheStateOfTheStore(kind: HistoryStoreKind, seed: UInt64) throws {
    let stack = try kind.stack(folder)
    var generator = SeededGenerator(seed: seed)
    let queues = (0..<4).map { stack.newContext(name: "context \($0)") }
    let mirror = HistoryMirror(stack)
    for round in 0..<300 {
      let queue = queues[Int.random(in: 0..<4, using: &generator)]
      let number = UInt64.random(in: 0 ... .max, using: &generator)
      try queue.performAndWait { context in
        context.transactionAuthor = context.name
        var own = SeededGenerator(seed: number)
        for _ in 0..<Int.random(in: 1...4, using: &own) { try Self.change(context, &own) }
        do { try context.save() } catch {
          // A save that conflicts, or whose object is gone, is given up.
          context.rollback()
        }
      }
      if round.isMultiple(of: 7) { try mirror.follow() }
      if round == 150 { try stack.answer(.deleteHistory(before: mirror.token)) }
    }
    try mirror.follow()
    let expected = try HistoryMirror.state(of: stack)
    #expect(mirror.objects == expected)
    #expect(expected.count > 20)
    #expect(try Set(stack.history().compactMap(\.author)).count == 4)
  }

  private static func change(
    _ context: ManagedObjectContext, _ generator: inout SeededGenerator
  ) throws {
    let notes = try LoggedNote.all(sortedBy: \.key, in: context)
    let folders = try LoggedFolder.all(sortedBy: \.name, in: context)
    let labels = try LoggedLabel.all(sortedBy: \.name, in: context)
    let number = Int.random(in: 0...9_999, using: &generator)
    let note = notes.randomElement(using: &generator)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0...2:
      let new = LoggedNote.create(in: context)
      (new.key, new.title, new.folder) = (
        number, "note \(number)", folders.randomElement(using: &generator)
      )
    case 3: note?.title = "title \(number)"
    case 4: note?.body = number.isMultiple(of: 2) ? nil : "body \(number)"
    case 5: note?.folder = folders.randomElement(using: &generator)
    case 6: note?.folder = nil
    case 7:
      LoggedFolder.create(in: context).name = "folder \(number)"
      LoggedLabel.create(in: context).name = "label \(number)"
    case 8: if let label = labels.randomElement(using: &generator) { note?.labels.insert(label) }
    case 9: if let label = note?.labels.first { note?.labels.remove(label) }
    case 10: if let note { context.delete(note) }
    default:
      if number.isMultiple(of: 3), let folder = folders.randomElement(using: &generator) {
        context.delete(folder)
      } else if number.isMultiple(of: 4), let label = labels.randomElement(using: &generator) {
        context.delete(label)
      }
    }
  }
}

/// A copy of all objects, kept by the history alone.
private final class HistoryMirror {
  private let stack: DataStack
  private(set) var token = PersistentHistoryToken()
  /// The properties of each object, as texts.
  private(set) var objects: [ManagedObjectID: [String: String]] = [:]

  init(_ stack: DataStack) { self.stack = stack }

  func follow() throws {
    try stack.newContext().performAndWait { context in
      let news = try context.execute(.fetchHistory(after: token))
      var changed: [ManagedObjectID: Set<String>] = [:]
      for change in news.transactions.flatMap({ $0.changes ?? [] }) {
        let id = change.changedObjectID
        switch change.changeType {
        case .insert:
          #expect(objects[id] == nil)
          objects[id] = [:]
          changed[id] = Self.names(id)
        case .update:
          #expect(objects[id] != nil, "\(id) is changed and was never inserted")
          changed[id, default: []].formUnion(try #require(change.updatedProperties))
        case .delete:
          #expect(objects.removeValue(forKey: id) != nil)
          changed[id] = nil
        }
      }
      for (id, names) in changed {
        let object = try context.existingObject(with: id)
        for name in names { objects[id]?[name] = Self.text(object, name) }
      }
      token = token.advanced(to: news.token)
    }
  }

  static func state(of stack: DataStack) throws -> [ManagedObjectID: [String: String]] {
    try stack.newContext().performAndWait { context in
      var all: [ManagedObjectID: [String: String]] = [:]
      for name in ["LoggedNote", "LoggedFolder", "LoggedLabel"] {
        for object in try context.fetch(FetchRequest(name)) {
          var values: [String: String] = [:]
          for name in names(object.objectID) { values[name] = text(object, name) }
          all[object.objectID] = values
        }
      }
      return all
    }
  }

  private static func names(_ id: ManagedObjectID) -> Set<String> {
    switch id.entityName {
    case "LoggedNote": ["key", "title", "body", "folder", "labels"]
    default: ["name", "notes"]
    }
  }

  private static func text(_ object: ManagedObject, _ name: String) -> String {
    switch (object, name) {
    case (let note as LoggedNote, "folder"): "\(note.folder.map { "\($0.objectID)" } ?? "-")"
    case (let note as LoggedNote, "labels"): ids(note.labels.map(\.objectID))
    case (let folder as LoggedFolder, "notes"): ids(folder.notes.map(\.objectID))
    case (let label as LoggedLabel, "notes"): ids(label.notes.map(\.objectID))
    default: "\(object[name])"
    }
  }

  private static func ids(_ ids: [ManagedObjectID]) -> String {
    ids.map { "\($0)" }.sorted().joined(separator: " ")
  }
}
