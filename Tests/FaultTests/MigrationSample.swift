// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesXcode
import Testing

/// How the newer version is reached.
enum MigrationWay: String, CaseIterable, Sendable {
  case migrating, planning, reworking

  /// The plan that the probe uses; nil if the change is inferred.
  func plan(from old: ManagedObjectModel, to new: ManagedObjectModel) -> MigrationPlan? {
    switch self {
    case .migrating: nil
    case .planning: MigrationPlan([.custom(from: old, to: new) { _ in }])
    case .reworking: MigrationPlan([.rows(from: old, to: new, [RowWork("Person") { _ in }])])
    }
  }
}

/// A filled store of a construct, and what lies in it before and after an unharmed migration.
final class MigrationSample {
  let folder: FaultFolder
  let construct: MigrationConstruct
  let way: MigrationWay
  let before: [String]
  let after: [String]
  /// The newer model as the probe reads it. The store keeps its bytes.
  let newer: ManagedObjectModel

  init(_ construct: MigrationConstruct, by way: MigrationWay = .migrating) async throws {
    self.construct = construct
    self.way = way
    folder = try FaultFolder()
    try construct.fill(folder.store)
    before = try RawStore.image(folder.store)
    let copy = try Self.copy(folder, construct.new)
    let run = try await FaultRun.play(way.rawValue, copy.store)
    #expect(run.isUnharmed && run.failures == [] && run.acknowledged == [1], "\(run)")
    after = try RawStore.image(copy.store)
    newer = try ManagedObjectModel(contentsOf: copy.url.appendingPathExtension("mom"))
    #expect(before != after)
  }

  /// A copy of the filled store, with the newer model beside its folder.
  static func copy(_ folder: FaultFolder, _ model: ManagedObjectModel) throws -> FaultFolder {
    let copy = try self.copy(folder.url)
    try model.write(to: copy.url.appendingPathExtension("mom"))
    return copy
  }

  private static func copy(_ folder: URL) throws -> FaultFolder {
    let copy = try FaultFolder()
    try FileManager.default.removeItem(at: copy.url)
    try FileManager.default.copyItem(at: folder, to: copy.url)
    return copy
  }

  /// Reads a copy, because SQLite moves the log into the file when it closes the file.
  static func image(_ store: URL) throws -> [String] {
    let copy = try copy(store.deletingLastPathComponent())
    return try withExtendedLifetime(copy) { try RawStore.image(copy.store) }
  }

  func copy() throws -> FaultFolder { try Self.copy(folder, construct.new) }

  /// Expects one of the two states, and that the store opens with the newer model and is whole.
  func expectOneOfBoth(_ store: URL, _ run: FaultRun, _ harm: Harm) throws {
    let image = try Self.image(store)
    #expect(image == before || image == after, "\(harm): \(difference(image))")
    if run.acknowledged == [1] { #expect(image == after, "\(harm)") }
    let opened: SQLiteStore
    var options = SQLiteStoreOptions()
    options.migration.losses = .allowed
    options.migrationPlan = way.plan(from: construct.old, to: newer)
    do { opened = try SQLiteStore(url: store, model: newer, options: options) } catch {
      Issue.record("\(harm): the store cannot be opened: \(error)")
      return
    }
    #expect(try opened.integrityProblems() == [], "\(harm)")
    try opened.close()
    let end = try RawStore.image(store)
    #expect(end == after, "\(harm): opened afterwards: \(difference(end))")
  }

  private func difference(_ image: [String]) -> String {
    let nearest = Set(before).isDisjoint(with: image) ? after : before
    return Set(image).symmetricDifference(nearest).sorted().prefix(6).joined(separator: "\n")
  }

  /// Expects no file of a large value that no row names.
  func expectNoFileMore(_ store: URL, _ harm: Harm) throws {
    let named = try RawStore.image(store).reduce(0) { count, line in
      count + line.components(separatedBy: "a file of").count - 1
    }
    #expect(RawStore.valueFiles(store).count == named, "\(harm)")
  }
}

extension MigrationSample {
  /// Harms each n-th call, and returns the number of harmed runs. Each construct and kind begins with another call.
  func walk(
    _ kind: String, times: Int = 1, step: Int = FaultWalk.step(37), only: String? = nil,
    _ check: (URL, FaultRun, Harm) async throws -> Void
  ) async throws -> Int {
    var runs = 0
    var call = 1 + (construct.testDescription + kind).utf8.reduce(times) { $0 + Int($1) } % step
    while true {
      let copy = try copy()
      defer { copy.removeModel() }
      let harm = Harm(name: kind, at: call, times: times)
      let run = try await FaultRun.play(way.rawValue, copy.store, harm, only: only)
      #expect(run.calls != nil || run.wasKilled, "\(harm): ended by itself: \(run.errors)")
      try await check(copy.store, run, harm)
      if run.isUnharmed || (run.calls == nil && !run.wasKilled) {
        // Every call from the first harmed one on was reached.
        #expect(runs == (run.calls ?? 0) / step || runs == (run.calls ?? 0) / step + 1)
        return runs
      }
      runs += 1
      call += step
    }
  }

  /// Four processes migrate a copy at once. Expects that all of them find it migrated in the end.
  func migrateTogether() async throws {
    let copy = try copy()
    defer { copy.removeModel() }
    let (store, way) = (copy.store, way.rawValue)
    let runs = try await withThrowingTaskGroup(of: FaultRun.self) { group in
      for _ in 1...4 { group.addTask { try await FaultRun.play(way, store) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(run.failures == [] && run.acknowledged == [1], "\(run)") }
    #expect(try RawStore.image(store) == after)
    try expectNoFileMore(store, .none)
  }
}

extension FaultFolder {
  /// Removes the newer model beside the folder. A file that stays in the temporary folder does not affect later tests.
  func removeModel() { try? FileManager.default.removeItem(at: url.appendingPathExtension("mom")) }
}
