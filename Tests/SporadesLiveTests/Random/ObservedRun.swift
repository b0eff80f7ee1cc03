// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesTesting

/// Random writes of a service and of a second connection to its file, after each of which every observer must have the
/// value that a fresh fetch gives.
final class ObservedRun {
  private let folder: URL
  private let service: DALService
  private let other: DataStack
  private let requests: [ObservedRequest]
  private var random: SeededGenerator
  private(set) var log: [String] = []
  private(set) var failure: String?
  private(set) var steps = 0

  init(seed: UInt64) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("observed-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    random = SeededGenerator(seed: seed)
    service = DALService(stack: try Self.open(folder))
    other = try Self.open(folder)
    requests = ObservedRequest.all(on: service)
  }

  deinit {
    for request in requests { request.follower.cancel() }
    // `try?`, because a folder that stays in the system's temporary folder harms no test.
    try? FileManager.default.removeItem(at: folder)
  }

  private static func open(_ folder: URL) throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    let store = try SQLiteStore(
      url: folder.appendingPathComponent("League.sqlite"),
      model: ManagedObjectModel(League.entities), options: options)
    return DataStack(store: store, classes: League.entities)
  }

  /// The times that the store was asked again, for each step and request whose own rows tell the result.
  var asked: (count: Int, of: Int) {
    (service.liveMetrics.askedAgain, steps * requests.count(where: \.isExact))
  }

  func run(_ count: Int) async throws {
    for _ in 0..<count where failure == nil {
      do { try step() } catch { log.append("  threw \(error)") }
      steps += 1
      try await check()
    }
  }

  /// Waits until each observer has the value of a fresh fetch.
  private func check() async throws {
    let requests = requests
    let fresh = try await service.read { context in try requests.map { try $0.fresh(context) } }
    let end = ContinuousClock.now + .seconds(20)
    for (request, value) in zip(requests, fresh) {
      while request.follower.last != value {
        if let error = request.follower.error { return fail(request, "threw \(error)") }
        guard ContinuousClock.now < end else {
          return fail(request, "has \(request.follower.last ?? []), and a fetch finds \(value)")
        }
        await Task.yield()
      }
    }
  }

  private func fail(_ request: ObservedRequest, _ text: String) {
    failure = "\(request.name) \(text)"
  }

  // MARK: - Steps

  private func step() throws {
    let number = Int.random(in: 0..<100, using: &random)
    log.append("\(number)")
    switch number {
    case 0..<60: try write { try self.change($0) }
    case 60..<70:
      let count = Int.random(in: 2...8, using: &random)
      try write { for _ in 0..<count { try self.change($0) } }
    case 70..<78: try nest()
    case 78..<84:
      try other.newContext(name: "other").performAndWait { context in
        context.durability = .immediate
        try self.change(context)
        try context.save()
      }
    case 84..<90: try batch()
    case 90..<93:
      let score = small
      try write { try Player.deleteAll(where: \.score == score, in: $0) }
    case 93..<96:
      for _ in 0..<20 { try write { try self.change($0) } }
    case 96: if small == 0 { try service.reset() }
    default: try saveBeside()
    }
  }

  private func write(_ body: (ManagedObjectContext) throws -> Void) throws {
    try service.writeSync { try body($0.managedObjectContext) }.get()
  }

  /// A write inside a write, and one that is given up.
  private func nest() throws {
    try write { context in
      try self.change(context)
      try self.write { try self.change($0) }
    }
    do {
      try write { context in
        try self.change(context)
        throw CocoaError(.userCancelled)
      }
    } catch { log.append("  given up") }
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

  private func batch() throws {
    let score = small
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      var request = FetchRequest("Player")
      request.predicate = .compare("score", .less, score)
      _ = try service.execute(
        BatchUpdateRequest(fetchRequest: request, propertiesToUpdate: ["group": "g\(score % 4)"]))
    case 1: _ = try service.execute(BatchDeleteRequest(Player.where(\.score == score)))
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
    case 0..<10 where players.count < 80: make(context)
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
    default: for _ in 0..<6 where players.count < 80 { make(context) }
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
