// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// A process is killed, or its disk fails, while it migrates a store. The store is then as it was before, or as it is
/// after the migration. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct MigrationFaultTests {
  /// How the newer version is reached.
  enum Way: String, CaseIterable, Sendable {
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
  private final class Sample {
    let folder: FaultFolder
    let construct: MigrationConstruct
    let way: Way
    let before: [String]
    let after: [String]
    /// The newer model as the probe reads it. The store keeps its bytes.
    let newer: ManagedObjectModel
    /// The number of calls of an unharmed run, by the kind of harm that they suit.
    private(set) var runs = 0

    init(_ construct: MigrationConstruct, by way: Way = .migrating) async throws {
      self.construct = construct
      self.way = way
      folder = try FaultFolder()
      try construct.fill(folder.store)
      before = try RawStore.image(folder.store)
      let copy = try Sample.copy(folder, construct.new)
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

  /// Harms each n-th call, and returns the number of harmed runs.
  private func walk(
    _ sample: Sample, _ kind: String, times: Int = 1, step: Int = FaultWalk.step(23),
    _ check: (URL, FaultRun, Harm) throws -> Void
  ) async throws -> Int {
    var runs = 0
    var call = 1 + kind.utf8.reduce(times) { $0 + Int($1) } % step
    while true {
      let copy = try sample.copy()
      defer { Self.removeModel(of: copy) }
      let harm = Harm(name: kind, at: call, times: times)
      let run = try await FaultRun.play(sample.way.rawValue, copy.store, harm)
      #expect(run.calls != nil || run.wasKilled, "\(harm): ended by itself: \(run.errors)")
      try check(copy.store, run, harm)
      if run.isUnharmed || (run.calls == nil && !run.wasKilled) {
        // Every call from the first harmed one on was reached.
        #expect(runs == (run.calls ?? 0) / step || runs == (run.calls ?? 0) / step + 1)
        return runs
      }
      runs += 1
      call += step
    }
  }

  private static func removeModel(of folder: FaultFolder) {
    // A file that stays in the temporary folder does not affect later tests.
    try? FileManager.default.removeItem(at: folder.url.appendingPathExtension("mom"))
  }

  @Test(arguments: MigrationConstruct.all)
  func aKillLeavesTheStoreAsBeforeOrAsAfter(_ construct: MigrationConstruct) async throws {
    let sample = try await Sample(construct)
    for kind in ["kill-before", "kill-after", "tear"] {
      let runs = try await walk(sample, kind) { store, run, harm in
        try sample.expectOneOfBoth(store, run, harm)
        try sample.expectNoFileMore(store, harm)
      }
      #expect(runs > 0, "\(kind)")
    }
  }

  /// Constructs with large values, with keys that grow and with links that move, by a plan. A process that is killed while
  /// the files are exchanged may leave large values without a row, so nobody counts them here.
  private static let planned = MigrationConstruct.all.filter { construct in
    ["storage on", "below another", "to-many relationships to-one"].contains {
      construct.testDescription.contains($0)
    }
  }

  @Test(arguments: planned, [Way.planning, .reworking])
  func aKillDuringAPlanLeavesTheStoreAsBeforeOrAsAfter(
    _ construct: MigrationConstruct, _ way: Way
  ) async throws {
    let sample = try await Sample(construct, by: way)
    for kind in ["kill-before", "kill-after", "tear"] {
      let runs = try await walk(sample, kind, step: FaultWalk.step(23)) { store, run, harm in
        try sample.expectOneOfBoth(store, run, harm)
      }
      #expect(runs > 0, "\(kind)")
    }
  }

  /// One works on its draft, and the others wait for it.
  @Test(arguments: planned)
  func processesThatBeginAPlanTogetherCarryItOutOnce(_ construct: MigrationConstruct) async throws {
    let sample = try await Sample(construct, by: .planning)
    try await migrateTogether(sample)
  }

  /// Four processes migrate a copy at once. Expects that all of them find it migrated in the end.
  private func migrateTogether(_ sample: Sample) async throws {
    let copy = try sample.copy()
    defer { Self.removeModel(of: copy) }
    let (store, way) = (copy.store, sample.way.rawValue)
    let runs = try await withThrowingTaskGroup(of: FaultRun.self) { group in
      for _ in 1...4 { group.addTask { try await FaultRun.play(way, store) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(run.failures == [] && run.acknowledged == [1], "\(run)") }
    #expect(try RawStore.image(store) == sample.after)
    try sample.expectNoFileMore(store, .none)
  }

  @Test(
    arguments: MigrationConstruct.all.filter { $0.testDescription.contains("storage") },
    ["EIO", "ENOSPC", "short"])
  func aDiskThatFailsLeavesTheStoreAsBeforeOrAsAfter(
    _ construct: MigrationConstruct, _ kind: String
  ) async throws {
    let sample = try await Sample(construct)
    for times in [1, 0] {
      let runs = try await walk(sample, kind, times: times) {
        try sample.expectOneOfBoth($0, $1, $2)
      }
      #expect(runs > 1)
    }
  }

  @Test func aFullDiskSaysSo() async throws {
    let sample = try await Sample(MigrationConstruct.all[1])
    let copy = try sample.copy()
    defer { Self.removeModel(of: copy) }
    let run = try await FaultRun.play(
      "migrating", copy.store, Harm(name: "ENOSPC", at: 3, times: 0))
    #expect(run.acknowledged == [] && !run.failures.isEmpty, "\(run)")
    #expect(run.failures.first?.contains("No space left on device") == true, "\(run)")
    #expect(try RawStore.image(copy.store) == sample.before)
  }

  @Test(arguments: MigrationConstruct.all)
  func aCancelledMigrationChangesNothing(_ construct: MigrationConstruct) async throws {
    let sample = try await Sample(construct)
    let copy = try sample.copy()
    defer { Self.removeModel(of: copy) }
    let run = try await FaultRun.play("cancelling", copy.store)
    #expect(run.acknowledged == [] && run.failures.count == 1, "\(run)")
    #expect(try RawStore.image(copy.store) == sample.before)
    try sample.expectNoFileMore(copy.store, .none)
  }

  /// Both begin at once. One migrates, and the other finds the store migrated.
  @Test(arguments: MigrationConstruct.all)
  func processesThatBeginTogetherMigrateOnce(_ construct: MigrationConstruct) async throws {
    let sample = try await Sample(construct)
    for _ in 1...3 { try await migrateTogether(sample) }
  }
}
