// SPDX-License-Identifier: MIT
import Sporades
import SporadesModel
import Testing

/// A task that follows an observation, and keeps what it has heard.
final class Follower<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var error: DALError?
    var hasEnded = false
  }
  private let state = Guarded(State())
  private let task = Guarded<Task<Void, Never>?>(nil)

  init<Values: AsyncSequence & Sendable>(_ values: Values, of type: Value.Type = Value.self)
  where Values.Element == Value {
    let work = Task { [weak self] in
      do {
        for try await value in values { self?.state.withLock { $0.values.append(value) } }
      } catch {
        self?.state.withLock { $0.error = error as? DALError }
      }
      self?.state.withLock { $0.hasEnded = true }
    }
    task.withLock { $0 = work }
  }

  deinit { cancel() }

  var values: [Value] { state.withLock(\.values) }
  var last: Value? { state.withLock { $0.values.last } }
  var error: DALError? { state.withLock(\.error) }
  var hasEnded: Bool { state.withLock(\.hasEnded) }

  func cancel() { task.withLock { $0?.cancel() } }

  /// Waits until the condition is true, and records an issue if it is not within an hour.
  @discardableResult
  func wait(
    for what: String, _ location: SourceLocation = #_sourceLocation,
    until isDone: (Follower) -> Bool
  ) async -> Bool {
    let end = ContinuousClock.now + .seconds(3_600)
    while !isDone(self) {
      guard ContinuousClock.now < end else {
        Issue.record(
          "\(what) did not come. Last: \(String(describing: last))", sourceLocation: location)
        return false
      }
      await Task.yield()
    }
    return true
  }
}

extension Follower where Value: Equatable {
  func wait(for value: Value, _ location: SourceLocation = #_sourceLocation) async {
    await wait(for: "\(value)", location) { $0.last == value }
  }
}

extension League {
  static func makeService() throws -> DALService { DALService(stack: try makeStack()) }
}

extension DALService {
  /// Writes players, each with its score.
  func add(_ players: KeyValuePairs<String, Int>) throws {
    try writeSync { context in
      for (name, score) in players {
        let player = Player.create(in: context)
        (player.name, player.score) = (name, score)
      }
    }.get()
  }

  /// Makes a player in a new team.
  func add(_ player: String, _ score: Int, to team: String) throws {
    try writeSync { context in
      let new = Team.create(in: context)
      new.name = team
      Player.make(player, score, in: context.managedObjectContext).team = new
    }.get()
  }

  /// Changes the player with the name.
  func change(_ name: String, _ body: (Player) -> Void) throws {
    try writeSync { context in
      if let player = Player.first(where: \.name == name, in: context) { body(player) }
    }.get()
  }
}
