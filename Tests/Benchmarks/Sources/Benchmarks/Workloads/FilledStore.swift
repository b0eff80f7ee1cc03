// SPDX-License-Identifier: MIT
import Foundation
import RawStore
import Sporades
import SporadesImport

/// Changes and new objects in one write, into a store with many objects, two unique attributes and a derived count.
struct MixedSave: Workload {
  static let key = "mixed_save"
  static let title = "100 objects changed and 10,000 made in one write, in a filled store"
  static let start = Template.tickets
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  private var numbers: ClosedRange<Int> {
    sample.scale.tickets + 1...sample.scale.tickets + sample.scale.newTickets
  }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path)
      watch.time { RawTicket.save(numbers, changing: 100, in: database) }
    }
    return Self.checksum(path)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path, [Holder.self, Ticket.self])
      defer { try? service.close() }
      try watch.time {
        try service.writeUntilCommitted { context in
          for ticket in Ticket.all(where: \.serial <= 100, in: context) { ticket.note = "used" }
          let holders = Dictionary(
            uniqueKeysWithValues: Holder.all(in: context).map { ($0.number, $0) })
          for number in numbers {
            let ticket = Ticket.create(in: context)
            ticket.serial = number
            ticket.code = RawTicket.code(number)
            ticket.holder = holders[number % Int(RawTicket.holders) + 1]
          }
        }
      }
    }
    return Self.checksum(path)
  }

  private static func checksum(_ path: String) -> UInt64 {
    let database = RawDatabase(path)
    var sum = Checksum()
    for number in RawTicket.contents(database) { sum.add(Int(number)) }
    sum.add(Int(RawTicket.counted(database)))
    return sum.value
  }
}

/// Records imported into a store with many objects; the other side imports the same ones into an empty store.
struct ImportFilled: Workload {
  static let key = "import_filled"
  static let title = "import 5,000 records into a filled store, by a unique key"
  static let start = Template.tickets
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  private var first: Int { sample.scale.tickets + 1 }

  /// Lines of JSON with new tickets.
  private func lines() -> Data {
    var text = Data()
    for number in first..<first + sample.scale.newTickets / 2 {
      text.append(
        contentsOf: """
          {"serial": \(number), "code": "\(RawTicket.code(number))", "note": "imported"}

          """.utf8)
    }
    return text
  }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let empty = path + ".empty"
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: empty + suffix)
      }
    }
    return try importLines(into: empty, &watch)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try importLines(into: path, &watch)
  }

  private func importLines(into path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let lines = lines()
    do {
      let service = try openService(path, [Holder.self, Ticket.self])
      defer { try? service.close() }
      try watch.time {
        try waiting { _ = try await service.import(Ticket.self, from: .json(data: lines)) }
        // Until the last commit has been reported.
        _ = service.flush(within: .seconds(60))
      }
    }
    var sum = Checksum()
    for number in RawTicket.contents(RawDatabase(path), from: first) { sum.add(Int(number)) }
    return sum.value
  }
}
