// SPDX-License-Identifier: MIT
import Foundation
import ObserverBoard
import Sporades
import SporadesPostgreSQL

/// This program once more, as another process that works on the same server.
final class Child {
  /// What it does when it is told to go.
  enum Task: String {
    /// Writes players one by one with Sporades.
    case write
    /// Writes rows one by one with libpq alone.
    case insert
    /// Renames two players of each team.
    case rename
    /// Reads with Sporades from the primary, and says how often.
    case read
    /// Reads with Sporades from a standby, and says how often.
    case readStandby
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the process, and waits until it is ready.
  init(_ task: Task, _ address: String, schema: String, number: Int = 0) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["child", task.rawValue, address, schema, String(number)]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    waitForAnswer()
  }

  func go() throws { try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }

  func waitForAnswer() {
    let line = output.fileHandleForReading.availableData
    precondition(line.last == UInt8(ascii: "\n"), "A process failed.")
  }

  /// The number that the process says when its work is done.
  func waitForNumber() -> Double {
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let number = Double(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      fatalError("A process failed.")
    }
    return number
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  // MARK: - In the process

  static let writes = 500

  /// Does the work that the arguments name, for each line of input.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 6, let task = Task(rawValue: arguments[2]) else { exit(2) }
    let (address, schema, number) = (arguments[3], arguments[4], Int(arguments[5]) ?? 0)
    var answer = "done"
    let work: () throws -> Void
    switch task {
    case .read, .readStandby:
      let service = Teams.service(
        address, schema, task == .read ? .primary : .replicas(maxLag: .seconds(1)))
      work = { answer = String(try Teams.read(service)) }
    case .write:
      let service = service(address, schema: schema)
      try write(service)
      work = { for _ in 0..<writes { try write(service) } }
    case .insert:
      let raw = RawServer(address, schema: schema)
      Bench.prepareInsert(raw)
      var next = 1_000_000 * (number + 2)
      work = {
        for _ in 0..<writes {
          unsafe raw.ask("insert", Bench.rawRow(next)) { _ in }
          next += 1
        }
      }
    case .rename:
      let service = service(address, schema: schema)
      let ids = try Watched.ids(service)
      var round = 0
      work = {
        round += 1
        for id in ids {
          try service.writeSync { context in
            let player = try context.object(with: id) as? Player
            player?.name = "New \(round)"
          }.get()
        }
      }
    }
    say("ready")
    while readLine() != nil {
      try work()
      say(answer)
    }
  }

  private static func service(_ address: String, schema: String) -> DALService {
    DALService(
      postgres: address, entities: [Player.self, Team.self],
      storeOptions: PostgreSQLStoreOptions(schema: schema))
  }

  private static func write(_ service: DALService) throws {
    try service.writeSync(durability: .immediate) { context in
      let player = Player.create(in: context)
      (player.name, player.score) = ("One", 1)
    }.get()
  }

  private static func say(_ word: String) {
    FileHandle.standardOutput.write(Data("\(word)\n".utf8))
  }
}

/// Eight processes that write at once.
final class Writers {
  private let children: [Child]

  init(_ task: Child.Task, _ address: String, schema: String) throws {
    children = try (0..<8).map { try Child(task, address, schema: schema, number: $0) }
  }

  func run() throws {
    for child in children { try child.go() }
    for child in children { child.waitForAnswer() }
  }

  func end() throws { for child in children { try child.end() } }
}

/// A hundred observers of five hundred objects each, in a store with a history, of which another process changes two for each.
final class Watched {
  private static let observers = 100
  private static let members = 500
  private let service: DALService
  private let child: Child
  private let board: Board<Set<String>>
  private var round = 0

  init(_ address: String) throws {
    let schema = "watched_\(UInt32.random(in: 0 ... .max))"
    var options = PostgreSQLStoreOptions(schema: schema)
    options.persistentHistory = .on
    service = DALService(
      postgres: address, entities: [Player.self, Team.self], storeOptions: options)
    try service.writeSync(durability: .immediate) { context in
      for number in 0..<Self.observers * Self.members {
        let player = Player.create(in: context)
        (player.name, player.score) = ("Player \(number)", number % Self.observers)
      }
    }.get()
    let service = service
    board = Board(
      (0..<Self.observers).map { group in
        service.observe(
          Player.where(\.score == group),
          mapping: { players in
            Set(players.map(\.name).filter { $0.hasPrefix("New") })
          })
      })
    child = try Child(.rename, address, schema: schema)
  }

  /// Two objects of each observer's.
  static func ids(_ service: DALService) throws -> [ManagedObjectID] {
    try service.readValue { context in
      try Player.all(sortedBy: \.score, in: context).enumerated().filter { place, _ in
        place % members < 2
      }.map(\.element.objectID)
    }
  }

  /// Waits until all observers have what concerns them.
  func run() throws {
    round += 1
    let expected: Set<String> = ["New \(round)"]
    try child.go()
    board.wait { $0.allSatisfy { $0 == expected } }
    child.waitForAnswer()
  }

  func end() throws {
    try child.end()
    try service.close()
  }
}
