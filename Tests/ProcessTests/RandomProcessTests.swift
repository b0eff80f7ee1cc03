// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesHistory
import SporadesTesting
import Testing

/// Random saves of eight processes with three contexts each, while another one removes everything now and then. A mirror
/// that knows nothing but the history has the final state of the file.
///
/// `SPORADES_PROCESS_SEEDS` is the number of runs, and `SPORADES_PROCESS_STEPS` that of the saves of each process. Do not
/// run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct RandomProcessTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seeds = environment["SPORADES_PROCESS_SEEDS"].flatMap { Int($0) } ?? 2
  private static let first = environment["SPORADES_FIRST_SEED"].flatMap { Int($0) } ?? 1
  private static let steps = environment["SPORADES_PROCESS_STEPS"].flatMap { Int($0) } ?? 40
  private static let processes = 8

  @Test(arguments: first..<(first + seeds))
  func theHistoryAloneGivesTheFinalState(_ seed: Int) async throws {
    let file = try BankFile()
    let stack = try file.open()
    var mirror = StateMirror(stack)
    let workers = try (0..<Self.processes).map {
      try ProbeProcess("random", file.store, "\($0)", "\(seed)", "\(Self.steps)")
    }
    let resetting = try ProbeProcess("reset", file.store, "2")
    for probe in workers + [resetting] { #expect(await probe.line() == "ready") }
    for probe in workers + [resetting] { probe.word() }
    var saves: [String: Int] = [:]
    for (number, worker) in workers.enumerated() {
      var lines: [String] = []
      while let line = await worker.line() {
        lines.append(line)
        try mirror.follow()
      }
      #expect(lines.suffix(2) == ["lost 0", "done"], "seed \(seed): \(lines)")
      saves["process \(number)"] = lines.first?.split(separator: " ").last.flatMap { Int($0) }
      try mirror.follow()
    }
    resetting.word()
    #expect(await resetting.rest() == ["reset", "reset", "done"], "seed \(seed)")
    try mirror.follow()
    let expected = try mirror.state()
    #expect(mirror.objects == expected, "seed \(seed)")
    #expect(mirror.saves.filter { $0.key != "" } == saves, "seed \(seed)")
    #expect(expected.count > Self.steps)
    #expect(try stack.store.integrityProblems() == [], "seed \(seed)")
    print("seed \(seed): \(saves.values.reduce(0, +)) transactions, \(expected.count) objects")
    try stack.store.close()
  }
}

/// A copy of all objects, kept by the history alone: it reads the properties that the history names, and no others.
private struct StateMirror {
  private let stack: DataStack
  private var token = PersistentHistoryToken()
  private var lastNumber: Int64 = 0
  /// The properties of each object, as texts.
  private(set) var objects: [ManagedObjectID: [String: String]] = [:]
  /// The number of transactions of each author.
  private(set) var saves: [String: Int] = [:]

  init(_ stack: DataStack) { self.stack = stack }

  mutating func follow() throws {
    let news = try stack.newContext().performAndWait { [token] in
      try $0.execute(.fetchHistory(after: token))
    }
    var changed: [ManagedObjectID: Set<String>] = [:]
    for transaction in news.transactions {
      #expect(transaction.transactionNumber == lastNumber + 1)
      lastNumber = transaction.transactionNumber
      saves[transaction.author ?? "", default: 0] += 1
      for change in transaction.changes ?? [] { try take(change, &changed) }
    }
    token = token.advanced(to: news.token)
    // The objects may be newer than the history that was read. What follows in it names those again.
    let current = try state()
    for (id, names) in changed {
      guard let values = current[id] else { continue }
      for name in names { objects[id]?[name] = values[name] }
    }
  }

  private mutating func take(
    _ change: PersistentHistoryChange, _ changed: inout [ManagedObjectID: Set<String>]
  ) throws {
    let id = change.changedObjectID
    switch change.changeType {
    case .insert:
      #expect(objects[id] == nil, "\(id) is inserted twice")
      objects[id] = [:]
      changed[id] = Self.names(id)
    case .update:
      #expect(objects[id] != nil, "\(id) is changed and was never inserted")
      changed[id, default: []].formUnion(try #require(change.updatedProperties))
    case .delete:
      #expect(objects.removeValue(forKey: id) != nil, "\(id) is deleted twice")
      changed[id] = nil
    }
  }

  func state() throws -> [ManagedObjectID: [String: String]] {
    try stack.newContext().performAndWait { context in
      // One state of all entities, though others write.
      try context.setQueryGeneration(from: .current)
      var all: [ManagedObjectID: [String: String]] = [:]
      for name in ["Account", "Note", "Folder", "Label"] {
        for object in try context.fetch(FetchRequest(name)) {
          var values: [String: String] = [:]
          for name in Self.names(object.objectID) { values[name] = Self.text(object, name) }
          all[object.objectID] = values
        }
      }
      return all
    }
  }

  private static func names(_ id: ManagedObjectID) -> Set<String> {
    switch id.entityName {
    case "Account": ["number", "balance"]
    case "Note": ["title", "body", "folder", "labels"]
    default: ["name", "notes"]
    }
  }

  private static func text(_ object: ManagedObject, _ name: String) -> String {
    switch (object, name) {
    case (let note as Bank.Note, "folder"): "\(note.folder.map { "\($0.objectID)" } ?? "-")"
    case (let note as Bank.Note, "labels"): ids(note.labels.map(\.objectID))
    case (let folder as Bank.Folder, "notes"): ids(folder.notes.map(\.objectID))
    case (let label as Bank.Label, "notes"): ids(label.notes.map(\.objectID))
    default: "\(object[name])"
    }
  }

  private static func ids(_ ids: [ManagedObjectID]) -> String {
    ids.map { "\($0)" }.sorted().joined(separator: " ")
  }
}
