// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// One kind of work whose cost is looked at while the file grows.
struct GrowthWork: Sendable {
  let title: String
  /// Microseconds by which the cost may grow all the same: one object among a million is far from
  /// the processor's caches.
  var allowance = 0.0
  /// Does the work on a file with `count` players and returns its cost in microseconds, of one row
  /// or of one save.
  let microseconds: @Sendable (_ path: String, _ count: Int) throws -> Double

  static let all = [
    fetching, updating, deleting, merging, mergingDeletions, nesting, findingNew,
    savingOne, deletingOne, mergingOne,
    mergingOneDeletion, unlinkingOne,
  ]

  // MARK: - Per row

  private static let fetching = GrowthWork(title: "fetch, per row") { path, count in
    try inNewContext(path) { context, watch in
      let players = try watch.time { try Player.all(in: context) }
      precondition(players.count == count, "The file has other players than were asked for.")
      return Double(count)
    }
  }

  private static let updating = GrowthWork(title: "save of changed objects, per row") { path, _ in
    try inNewContext(path) { context, watch in
      let players = try Player.all(in: context)
      for player in players { player.age += 1 }
      try watch.time { try context.save() }
      return Double(players.count)
    }
  }

  private static let deleting = GrowthWork(title: "delete and save, per row") { path, _ in
    try inNewContext(path) { context, watch in
      let players = try Player.all(in: context)
      try watch.time {
        for player in players { player.delete(in: context) }
        try context.save()
      }
      return Double(players.count)
    }
  }

  private static let merging = GrowthWork(title: "merge of changes into main, per row") {
    path, count in
    try mergeAll(path, count) { player, _ in player.age += 1 }
  }

  private static let mergingDeletions = GrowthWork(
    title: "merge of deletions into main, per row"
  ) { path, count in try mergeAll(path, count) { $0.delete(in: $1) } }

  private static let nesting = GrowthWork(title: "save of a child into main, per row") { path, _ in
    let stack = try openStack(path)
    defer { try? stack.store.close() }
    return try stack.newChild(of: stack.main).performAndWait { context in
      let players = try Player.all(in: context)
      for player in players { player.age += 1 }
      return try time { try context.save() } / Double(players.count)
    }
  }

  private static let findingNew = GrowthWork(
    title: "unsaved new object by its id, per object"
  ) { path, count in
    try inNewContext(path) { context, watch in
      let ids = (0..<(count / 10)).map { _ in Player.create(in: context).objectID }
      try watch.time { for id in ids { _ = try context.object(with: id) } }
      context.rollback()
      return Double(ids.count)
    }
  }

  /// Another context changes all players, in saves of 10,000; main, which holds them all, takes
  /// over each.
  private static func mergeAll(
    _ path: String, _ count: Int, _ change: (Player, ManagedObjectContext) -> Void
  ) throws -> Double {
    try merge(path, saves: max(1, count / 10_000)) { players, save, context in
      for player in players[(save * 10_000)..<min(players.count, (save + 1) * 10_000)] {
        change(player, context)
      }
    }.perRow
  }
}

// MARK: - One row among many registered

extension GrowthWork {
  private static let saves = 200

  fileprivate static let savingOne = GrowthWork(
    title: "save of one change, all registered", allowance: 10
  ) { path, count in
    try saveOne(path) { players, number, _ in players[number * count / saves].age += 1 }
  }

  fileprivate static let deletingOne = GrowthWork(
    title: "save of one deletion, all registered", allowance: 10
  ) { path, count in
    try saveOne(path) { players, number, context in
      players[number * count / saves].delete(in: context)
    }
  }

  fileprivate static let mergingOne = GrowthWork(
    title: "merge of one change, all registered", allowance: 10
  ) { path, count in
    try merge(path, saves: saves) { players, number, _ in
      players[number * count / saves].age += 1
    }.middle
  }

  fileprivate static let mergingOneDeletion = GrowthWork(
    title: "merge of one deletion, all registered", allowance: 10
  ) { path, count in
    try merge(path, saves: saves) { players, number, context in
      players[number * count / saves].delete(in: context)
    }.middle
  }

  /// A tag that players could bear: its links are in many-to-many relationships in memory.
  fileprivate static let unlinkingOne = GrowthWork(
    title: "merge of one deleted tag, all labels registered", allowance: 10
  ) { path, count in
    let stack = try DataStack(
      sqlite: URL(fileURLWithPath: path + ".labels"), entities: [Label.self, Tag.self])
    defer {
      try? stack.store.close()
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + ".labels" + suffix)
      }
    }
    let other = stack.newContext()
    try other.performAndWait { context in
      for number in 0..<count { Label.create(in: context).title = "Label \(number)" }
      for number in 0..<saves { Tag.create(in: context).name = "Tag \(number)" }
      try context.save()
    }
    return try stack.main.performAndWait { context in
      let held = (try Label.all(in: context), try Tag.all(in: context))
      let times = try (0..<saves).map { _ in
        try other.performAndWait { context in
          try Tag.first(in: context)?.delete(in: context)
          try context.save()
        }
        return time { stack.main.performAndWait { _ in } }
      }
      return withExtendedLifetime(held) { median(times) }
    }
  }
}

// MARK: - Around the work

/// Runs `work` in a context beside main; it returns what the time is divided by.
private func inNewContext(
  _ path: String, _ work: (ManagedObjectContext, inout Stopwatch) throws -> Double
) throws -> Double {
  let stack = try openStack(path)
  defer { try? stack.store.close() }
  return try stack.newContext().performAndWait { context in
    var watch = Stopwatch()
    let count = try work(context, &watch)
    return watch.total * 1000 / count
  }
}

/// The median cost of a save of one change.
private func saveOne(_ path: String, _ change: ([Player], Int, ManagedObjectContext) -> Void) throws
  -> Double
{
  let stack = try openStack(path)
  defer { try? stack.store.close() }
  return try stack.newContext().performAndWait { context in
    let players = try Player.all(in: context)
    let times = try (0..<200).map { number in
      change(players, number, context)
      return try time { try context.save() }
    }
    return withExtendedLifetime(players) { median(times) }
  }
}

/// What main needs to take over each of several saves of another context, in microseconds.
///
/// Main is held while the other saves, or it would begin to merge before the clock runs.
private func merge(
  _ path: String, saves: Int, _ change: ([Player], Int, ManagedObjectContext) -> Void
) throws -> (perRow: Double, middle: Double) {
  let stack = try openStack(path)
  defer { try? stack.store.close() }
  return try stack.main.performAndWait { context in
    let held = try Player.all(in: context)
    let times = try stack.newContext().performAndWait { context in
      let players = try Player.all(in: context)
      return try (0..<saves).map { number in
        change(players, number, context)
        try context.save()
        return time { stack.main.performAndWait { _ in } }
      }
    }
    return withExtendedLifetime(held) {
      (times.reduce(0, +) / Double(held.count), median(times))
    }
  }
}

private func openStack(_ path: String) throws -> DataStack {
  try DataStack(sqlite: URL(fileURLWithPath: path), entities: [Player.self, Team.self])
}

private func time(_ work: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try work()
  return milliseconds(since: start) * 1000
}
