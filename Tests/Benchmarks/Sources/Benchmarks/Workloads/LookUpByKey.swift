// SPDX-License-Identifier: MIT
import RawStore
import Sporades

/// Players by id, one at a time, none of them known to the context.
struct LookUpCold: Workload {
  static let key = "by_key_cold"
  static let title = "players by id, not in the context"
  static let start = Template.players
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    rawLookUps(sample, on: path, &watch)
  }
}

/// The same players by id, all of them in the context already.
///
/// The raw side has no context, so it reads them as it does above.
struct LookUpRegistered: Workload {
  static let key = "by_key_registered"
  static let title = "players by id, already in the context"
  static let start = Template.players
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    rawLookUps(sample, on: path, &watch)
  }
}

/// One prepared statement for all; each row is decoded whole.
private func rawLookUps(_ sample: Sample, on path: String, _ watch: inout Stopwatch) -> UInt64 {
  let database = RawDatabase(path)
  return watch.time {
    let statement = database.prepare(RawPlayer.select + " WHERE Z_PK = ?1")
    var sum = Checksum()
    for id in sample.lookups {
      statement.bind(1, id)
      guard statement.step() else { continue }
      sum.add(RawPlayer(statement).lastName.utf8.count)
      statement.reset()
    }
    return sum.value
  }
}

extension LookUpCold {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let first = try openService(path)
    let ids = try first.ids(sample.lookups)
    try first.close()
    // A new service, so that nothing the ids were found with is still in memory.
    let service = try openService(path)
    defer { try? service.close() }
    return try watch.time { try service.readValue { try lookUp(ids, in: $0) } }
  }
}

extension LookUpRegistered {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let service = try openService(path)
    defer { try? service.close() }
    let ids = try service.ids(sample.lookups)
    return try service.readValue { context in
      let held = try Player.all(in: context)
      return try withExtendedLifetime(held) { try watch.time { try lookUp(ids, in: context) } }
    }
  }
}

private func lookUp(_ ids: [ManagedObjectID], in context: ManagedObjectContext) throws -> UInt64 {
  var sum = Checksum()
  for id in ids {
    guard let player = try context.existingObject(with: id) as? Player else { continue }
    sum.add(player.lastName.utf8.count)
  }
  return sum.value
}
