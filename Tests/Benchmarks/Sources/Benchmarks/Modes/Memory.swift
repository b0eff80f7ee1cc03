// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import RawStore
import Sporades

/// What rows cost in memory: as structs, as objects, as faults, and through several contexts.
struct Memory {
  private let templates: Templates
  private let count: Int
  /// How much more a row may cost in a context three deep than in one, in per cent.
  private static let limit = 10.0

  init(folder: URL) throws {
    let sample = Sample(.full)
    count = sample.players.count
    templates = try Templates(sample, in: folder)
  }

  /// Prints the bytes per row and returns a sentence where nested contexts cost too much.
  func run() throws -> [String] {
    guard allocatedBytes() > 0 else { return ["The C library does not tell what is allocated."] }
    Columns.line("bytes allocated per row", ["bytes"])
    line("Swift structs with the same values", try structs())
    line("fault", try faults())
    line("object, fetched", try fetched { _ in })
    line("object, one text read", try fetched { for player in $0 { _ = player.lastName } })
    line("object, changed and not saved", try fetched { for player in $0 { player.age += 1 } })
    let one = try nested(depth: 0)
    let three = try nested(depth: 3)
    line("object, fetched in main", one)
    line("object, fetched in a child three contexts deep", three)
    line("the same, one unsaved change in main", try nested(depth: 3, changing: true))
    let share = (three / one - 1) * 100
    report("Three contexts more add \(decimal(share, 1)) % per row.")
    return share < Self.limit ? [] : ["They may add \(decimal(Self.limit, 0)) %."]
  }

  private func line(_ title: String, _ bytes: Double) { Columns.line(title, [decimal(bytes, 1)]) }

  /// How much more is allocated when `work` has returned, per row, its result held.
  private func growth<Held>(_ work: () throws -> Held) rethrows -> Double {
    let before = allocatedBytes()
    let held = try work()
    return withExtendedLifetime(held) { Double(allocatedBytes() - before) / Double(count) }
  }

  // MARK: - Kinds

  private func structs() throws -> Double {
    let path = try templates.copy(of: .players)
    defer { templates.remove(path) }
    let database = RawDatabase(path)
    // So that the page cache is full before anything is counted.
    _ = RawPlayer.all(database.prepare(RawPlayer.select))
    return growth {
      var players = RawPlayer.all(database.prepare(RawPlayer.select))
      // An array that grew has room for more than it holds.
      players = players.map { $0 }
      return players
    }
  }

  private func fetched(_ use: ([Player]) -> Void) throws -> Double {
    try inStack { stack in
      try stack.newContext().performAndWait { context in
        try growth {
          let players = try Player.all(in: context)
          use(players)
          return players
        }
      }
    }
  }

  private func faults() throws -> Double {
    try inStack { stack in
      try stack.newContext().performAndWait { context in
        let ids = try context.fetchIDs(FetchRequest("Player"))
        return try growth { try ids.map { try context.object(with: $0) } }
      }
    }
  }

  /// All that is allocated by a fetch in a context so many levels below main.
  private func nested(depth: Int, changing: Bool = false) throws -> Double {
    try inStack { stack in
      var chain = [stack.main]
      for _ in 0..<depth { chain.append(stack.newChild(of: chain[chain.count - 1])) }
      if changing { try stack.main.performAndWait { try Player.first(in: $0)?.age += 1 } }
      return try withExtendedLifetime(chain) {
        try chain[depth].performAndWait { context in
          try growth { try Player.all(in: context) }
        }
      }
    }
  }

  /// Runs `work` on a stack whose connections have read the table before.
  private func inStack(_ work: (DataStack) throws -> Double) throws -> Double {
    let path = try templates.copy(of: .players)
    defer { templates.remove(path) }
    let stack = try DataStack(
      sqlite: URL(fileURLWithPath: path), entities: [Player.self, Team.self])
    defer { try? stack.store.close() }
    _ = try stack.newContext().performAndWait { try Player.all(in: $0).count }
    return try work(stack)
  }
}
