// SPDX-License-Identifier: MIT
import Foundation
import RawStore
import Sporades

/// The prepared files of a run, in a folder that goes away with it.
final class Templates {
  private let folder: URL
  private let sample: Sample
  private var copies = 0
  private var made: Set<Template> = []

  init(_ sample: Sample, in parent: URL) throws {
    self.sample = sample
    folder = parent.appendingPathComponent("benchmark-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ template: Template) -> String {
    folder.appendingPathComponent("\(template.rawValue).sqlite").path
  }

  /// A fresh copy of a file, which the first copy makes, on the disk before the clock runs, so that no measured sync pays for it.
  func copy(of template: Template) throws -> String {
    copies += 1
    if made.insert(template).inserted { try make(template, sample) }
    let copy = folder.appendingPathComponent("run\(copies).sqlite")
    try FileManager.default.copyItem(atPath: path(template), toPath: copy.path)
    let handle = try FileHandle(forUpdating: copy)
    try handle.synchronize()
    try handle.close()
    return copy.path
  }

  func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private func make(_ template: Template, _ sample: Sample) throws {
    switch template {
    case .foreign: return try OpenForeign.make(at: path(template))
    case .readings: return try Readings.make(at: path(template), sample.scale.readings)
    case .fewReadings: return try Readings.make(at: path(template), sample.scale.readings / 10)
    case .stories, .searchedStories, .noStories:
      return try StoryFile(sample.scale.stories).make(template, at: path(template))
    case .teams, .players, .lines, .clubs, .accounts, .runners, .tickets: break
    }
    // The library makes the file, so that its bookkeeping is right; raw statements fill it.
    try DataStack(sqlite: URL(fileURLWithPath: path(template)), entities: template.entities)
      .store.close()
    let database = RawDatabase(path(template))
    database.execute("BEGIN")
    switch template {
    case .teams, .players: fill(database, template, sample)
    case .lines: RawLine.fill(database, sample.scale.lines)
    case .runners: RawRunner.fill(database, sample.players.map(\.score))
    case .tickets: RawTicket.fill(database, sample.scale.tickets)
    case .clubs: RawAccount.fillClubs(database, sample.scale.teams)
    case .accounts:
      RawAccount.fillClubs(database, sample.scale.teams)
      try Accounts(sample, beside: path(template)).importRaw(database)
    case .foreign, .readings, .fewReadings, .stories, .searchedStories, .noStories: break
    }
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func fill(
    _ database: borrowing RawDatabase, _ template: Template, _ sample: Sample
  ) {
    let team = database.prepare(
      "INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZCITY, ZNAME) VALUES (?1, 2, 1, ?2, ?3)")
    for value in sample.teams { value.insert(with: team) }
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(sample.teams.count) WHERE Z_ENT = 2")
    if template == .players {
      let player = database.prepare(RawPlayer.insertion)
      for value in sample.players { value.insert(with: player) }
      database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(sample.players.count) WHERE Z_ENT = 1")
    }
  }
}

extension Template {
  fileprivate var entities: [ManagedObject.Type] {
    switch self {
    case .lines: [Order.self, Line.self]
    case .runners: [Runner.self]
    case .tickets: [Holder.self, Ticket.self]
    case .clubs, .accounts: [Account.self, Club.self]
    default: [Player.self, Team.self]
    }
  }
}

extension Sample.Team {
  fileprivate func insert(with statement: borrowing RawStatement) {
    statement.bind(1, id)
    var (city, name) = (city, name)
    city.withUTF8 { city in
      name.withUTF8 { name in
        unsafe statement.bind(2, city)
        unsafe statement.bind(3, name)
        statement.run()
      }
    }
  }
}
