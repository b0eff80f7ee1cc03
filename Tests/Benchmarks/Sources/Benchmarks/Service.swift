// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import RawStore
import Sporades

/// A service as a program opens it, with every option at its default. It has answered once, so
/// that the file is open before the clock runs, as it is on the raw side.
func openService(
  _ path: String, _ entities: [ManagedObject.Type] = [Player.self, Team.self]
) throws -> DALService {
  let service = DALService(sqlite: URL(fileURLWithPath: path), entities: entities)
  _ = try service.readValue { context in
    try context.fetchIDs(FetchRequest(entities[entities.count - 1].declaration.name, limit: 1))
  }
  return service
}

extension DALService {
  /// The ids of all teams by primary key, which is how the sample names them.
  func teamIDs() throws -> [Int64: ManagedObjectID] {
    let ids = try readValue { context in try context.fetchIDs(FetchRequest("Team")) }
    return Dictionary(uniqueKeysWithValues: ids.map { ($0.key.primaryKey, $0) })
  }

  /// One write, until its commit has been reported.
  func writeUntilCommitted(_ block: (ReportingContext) throws -> Void) throws {
    let reported = DispatchSemaphore(value: 0)
    try writeSync(durability: nil, block, completion: { _ in reported.signal() }).get()
    reported.wait()
  }

  /// The ids of the sample's players, in the order of `primaryKeys`, no object made.
  func ids(_ primaryKeys: [Int64]) throws -> [ManagedObjectID] {
    let all = try readValue { context in try context.fetchIDs(FetchRequest("Player")) }
    let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key.primaryKey, $0) })
    return primaryKeys.compactMap { byKey[$0] }
  }
}

extension Player {
  func fill(from value: RawPlayer) {
    firstName = value.firstName
    lastName = value.lastName
    email = value.email
    age = Int(value.age)
    score = value.score
    active = value.isActive
    createdAt = Date(timeIntervalSinceReferenceDate: value.createdAt)
  }
}

extension Team {
  /// All teams by primary key, which is how the sample names them.
  static func byPrimaryKey<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> [Int64: Team] {
    let teams = try Team.all(in: context)
    return Dictionary(uniqueKeysWithValues: teams.map { ($0.objectID.key.primaryKey, $0) })
  }
}
