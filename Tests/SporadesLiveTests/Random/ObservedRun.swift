// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesTesting

/// A service whose refused writes are part of the run.
private final class QuietService: DALService, @unchecked Sendable {
  override func handleError(_ error: DALError) {}
}

/// Random writes of a service and of a second connection to its file, after each of which every observer must have the
/// value that a fresh fetch gives.
///
/// Runs of different seeds have few rows or more, because some edges of limits and offsets are met with few.
final class ObservedRun {
  /// One kind of step. The raw value is its share of a thousand steps.
  enum Step: Int, CaseIterable {
    case write = 577
    case severalWrites = 95
    case nestedWrite = 71
    case writeThatIsGivenUp = 30
    case writeOfAnother = 60
    case batchUpdate = 21
    case batchDeletion = 20
    case batchInsertion = 19
    case deletion = 28
    case manyWrites = 8
    case reset = 4
    case merge = 32
    case saveBeside = 35

    static func pick(_ random: inout SeededGenerator) -> Step {
      var rest = Int.random(in: 0..<allCases.reduce(0) { $0 + $1.rawValue }, using: &random)
      return allCases.first { step in
        rest -= step.rawValue
        return rest < 0
      } ?? .write
    }
  }

  private let folder: URL
  private let service: DALService
  private let other: DataStack
  private let requests: [ObservedRequest]
  private let board: ObservedBoard
  private let followers: [Task<Void, Never>]
  private let mostPlayers: Int
  private var random: SeededGenerator
  private(set) var log: [String] = []
  private(set) var failure: String?
  private(set) var steps = 0
  private(set) var kinds: Set<Step> = []

  init(seed: UInt64) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("observed-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    random = SeededGenerator(seed: seed)
    mostPlayers = [24, 8, 14, 44][Int(seed % 4)]
    service = QuietService(stack: try Self.open(folder, noticesOthers: true))
    other = try Self.open(folder, noticesOthers: false)
    requests = ObservedRequest.all(on: service)
    let board = ObservedBoard(requests.count)
    self.board = board
    followers = requests.enumerated().map { place, request in
      Task {
        do { try await request.follow { board.show($0, place) } } catch { board.end(place, error) }
      }
    }
  }

  deinit {
    for follower in followers { follower.cancel() }
    // `try?`, because a folder that stays in the system's temporary folder harms no test.
    try? FileManager.default.removeItem(at: folder)
  }

  private static func open(_ folder: URL, noticesOthers: Bool) throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    options.noticesOtherProcesses = noticesOthers
    let store = try SQLiteStore(
      url: folder.appendingPathComponent("League.sqlite"),
      model: ManagedObjectModel(League.entities), options: options)
    return DataStack(store: store, classes: League.entities)
  }

  /// The times that the store was asked again, for each step and request whose own rows tell the result.
  var asked: (count: Int, of: Int) {
    (service.liveMetrics.askedAgain, steps * requests.count(where: \.isExact))
  }

  /// Makes steps, and stops at the first after which an observer is wrong.
  func run(_ count: Int) throws {
    for _ in 0..<count where failure == nil {
      do { try step() } catch { note("  threw \(error)") }
      steps += 1
      try check()
    }
  }

  /// Ends the observations, and closes the stores.
  func close() throws {
    try service.close()
    try other.store.close()
  }

  /// Waits until each observer has the value of a fresh fetch. The fetches are those of a context that has read nothing
  /// before, because others show a commit of another connection only after the news of it.
  private func check() throws {
    let fresh = try service.stack().newContext(name: "fresh").performAndWait { context in
      try requests.map { try $0.fresh(context) }
    }
    let wrong = board.wait(for: fresh)
    guard !wrong.isEmpty else { return }
    failure = wrong.map { "step \(steps): \(requests[$0.place].name) \($0.text)" }
      .joined(separator: "\n")
  }

  /// Keeps the latest lines.
  private func note(_ line: String) {
    log.append(line)
    if log.count > 100 { log.removeFirst(50) }
  }

  // MARK: - Steps

  private func step() throws {
    let kind = Step.pick(&random)
    kinds.insert(kind)
    note("\(steps) \(kind)")
    switch kind {
    case .write: try write { try self.change($0) }
    case .severalWrites:
      let count = Int.random(in: 2...8, using: &random)
      try write { for _ in 0..<count { try self.change($0) } }
    case .nestedWrite:
      try write { context in
        try self.change(context)
        try self.write { try self.change($0) }
      }
    case .writeThatIsGivenUp: giveUp()
    case .writeOfAnother:
      try other.newContext(name: "other").performAndWait { context in
        context.durability = .immediate
        try self.change(context)
        try context.save()
      }
    case .batchUpdate, .batchDeletion, .batchInsertion: try batch(kind)
    case .deletion:
      // now and then so many that limits use up the rows that they hold
      let (score, isBelow) = (small, Int.random(in: 0..<3, using: &random) == 0)
      try write { context in
        if isBelow {
          try Player.deleteAll(where: \.score < score, in: context)
        } else {
          try Player.deleteAll(where: \.score == score, in: context)
        }
      }
    case .manyWrites: for _ in 0..<20 { try write { try self.change($0) } }
    case .reset: try service.reset()
    case .merge: try merge()
    case .saveBeside: try saveBeside()
    }
  }

  private func write(_ body: (ManagedObjectContext) throws -> Void) throws {
    try service.writeSync { try body($0.managedObjectContext) }.get()
  }

  private func giveUp() {
    do {
      try write { context in
        try self.change(context)
        throw CocoaError(.userCancelled)
      }
    } catch { note("  given up") }
  }

  /// A save of a context that has read before another one wrote.
  private func merge() throws {
    let late = try service.stack().newContext(name: "late")
    let policy: MergePolicy = Bool.random(using: &random) ? .objectTrump : .storeTrump
    try late.performAndWait { context in
      context.mergePolicy = policy
      try self.change(context)
    }
    try write { try self.change($0) }
    try late.performAndWait { try $0.save() }
  }

  /// A save of a child into its parent, which saves later, on contexts that the service does not know.
  private func saveBeside() throws {
    let stack = try service.stack()
    let parent = stack.newContext(name: "parent")
    let child = stack.newChild(of: parent, name: "child")
    try child.performAndWait { context in
      try self.change(context)
      try context.save()
    }
    try parent.performAndWait { try $0.save() }
  }

  private func batch(_ kind: Step) throws {
    let score = small
    switch kind {
    case .batchUpdate:
      var request = FetchRequest("Player")
      request.predicate = .compare("score", .less, score)
      let changes: [String: Any?] =
        Bool.random(using: &random) ? ["group": "g\(score % 4)"] : ["score": small]
      _ = try service.execute(
        BatchUpdateRequest(fetchRequest: request, propertiesToUpdate: changes))
    case .batchDeletion: _ = try service.execute(BatchDeleteRequest(Player.where(\.score == score)))
    default:
      let rows: [[String: Any?]] = (0..<score).map { ["name": "b\($0)", "score": $0] }
      _ = try service.execute(BatchInsertRequest(Player.self, objects: rows))
    }
  }

  private func change(_ context: ManagedObjectContext) throws {
    let players = try Player.all(sortedBy: "name,score", in: context)
    let teams = try Team.all(sortedBy: \.rank, in: context)
    let player = players.randomElement(using: &random)
    let team = teams.randomElement(using: &random)
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<10 where players.count < mostPlayers: make(context)
    case 10..<12: if let player { context.delete(player) }
    case 12..<19: player?.score = small
    case 19..<22: player?.name = letter
    case 22..<25: player?.group = Bool.random(using: &random) ? nil : "g\(small % 4)"
    case 25..<28: player?.team = team
    case 28: player?.team = nil
    case 29..<31: team?.name = letter
    case 31: team?.rank = small
    case 32: if let team, teams.count > 2 { context.delete(team) }
    case 33: if teams.count < 6 { Team.create(in: context).name = letter }
    case 34: link(team, context)
    case 35..<37:
      if let other = players.randomElement(using: &random) { player?.idols.insert(other) }
    case 37: player?.idols.removeAll()
    default: for _ in 0..<6 where players.count < mostPlayers { make(context) }
    }
  }

  private func make(_ context: ManagedObjectContext) {
    let player = small == 0 ? League.Goalkeeper.create(in: context) : Player.create(in: context)
    (player.name, player.score, player.group) = (letter, small, "g\(small % 4)")
  }

  private func link(_ team: Team?, _ context: ManagedObjectContext) {
    guard let team else { return }
    if team.club == nil { team.club = League.Club.create(in: context) }
    team.club?.country = "c\(small % 3)"
  }

  private var small: Int { Int.random(in: 0..<10, using: &random) }
  private var letter: String { String(Character(Unicode.Scalar(UInt8(97 + small)))) }
}
