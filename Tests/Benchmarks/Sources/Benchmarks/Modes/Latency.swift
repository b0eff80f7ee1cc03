// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import Sporades
import Synchronization

/// How well readers get on while others write.
struct Latency {
  private let templates: Templates
  private let span: Duration
  private let batch: Int

  init(short: Bool, folder: URL) throws {
    let sample = Sample(short ? .short : .full)
    span = short ? .milliseconds(300) : .seconds(3)
    batch = sample.players.count
    templates = try Templates(sample, in: folder)
  }

  /// Prints the numbers; times on a shared machine are nothing to complain of.
  func run() throws -> [String] {
    report("\(ProcessInfo.processInfo.activeProcessorCount) cores")
    Columns.line("fetches of 100 rows per second", ["1 reader", "2 readers", "gain"])
    for writer in Writer.allCases {
      let rates = try [1, 2].map { try throughput(readers: $0, writer) }
      let numbers = rates.map { decimal($0, 0) } + [decimal(rates[1] / rates[0], 2)]
      Columns.line(writer.title(batch), numbers)
    }
    Columns.line("µs of a read of one object", ["p50", "p95", "p99", "max", "reads"])
    for writer in Writer.allCases {
      let times = try reads(writer).sorted()
      let shares = [0.5, 0.95, 0.99, 1].map { share in
        decimal(times[Int(Double(times.count - 1) * share)], 1)
      }
      Columns.line(writer.title(batch), shares + ["\(times.count)"])
    }
    return []
  }

  /// Who writes meanwhile.
  private enum Writer: CaseIterable {
    case none
    /// One object per write, each committed with others.
    case small
    /// All objects in each write.
    case large

    func title(_ batch: Int) -> String {
      switch self {
      case .none: "nobody writes"
      case .small: "one-object writes, one after the other"
      case .large: "writes of \(batch) objects, one after the other"
      }
    }
  }

  // MARK: - Readers

  private func throughput(readers: Int, _ writer: Writer) throws -> Double {
    try beside(writer) { service, end in
      let stack = try service.stack()
      let done = Atomic(0)
      let failed = Atomic(false)
      DispatchQueue.concurrentPerform(iterations: readers) { reader in
        let queue = stack.newContext()
        var random = SeededGenerator(seed: UInt64(reader))
        while ContinuousClock.now < end {
          let age = Int.random(in: 16..<76, using: &random)
          let count = try? queue.performAndWait { context in
            try context.fetch(
              Player.self,
              FetchRequest("Player", where: .compare("age", .greaterOrEqual, age), limit: 100)
            ).count
          }
          if count == nil { failed.store(true, ordering: .relaxed) }
          done.add(1, ordering: .relaxed)
        }
      }
      if failed.load(ordering: .relaxed) { throw UsageError("A reader failed.") }
      return Double(done.load(ordering: .relaxed)) / (span / .seconds(1))
    }
  }

  /// The duration of each read of one object, a different one each time.
  private func reads(_ writer: Writer) throws -> [Double] {
    try beside(writer) { service, end in
      let ids = try service.readValue { try $0.fetchIDs(FetchRequest("Player")) }
      var random = SeededGenerator(seed: 1)
      var times: [Double] = []
      while ContinuousClock.now < end {
        let id = ids[Int.random(in: 0..<ids.count, using: &random)]
        let start = ContinuousClock.now
        try service.read { context in
          let player = try context.existingObject(with: id) as? Player
          precondition(player?.lastName.isEmpty == false, "A player has no name.")
        }.get()
        times.append(milliseconds(since: start) * 1000)
      }
      return times
    }
  }

  // MARK: - The writer

  /// Runs `work` while a thread of its own writes.
  private func beside<Output>(
    _ writer: Writer, _ work: (DALService, ContinuousClock.Instant) throws -> Output
  ) throws -> Output {
    let path = try templates.copy(of: .players)
    defer { templates.remove(path) }
    let service = try openService(path)
    defer { try? service.close() }
    let isOver = Flag()
    let thread = Thread { Self.write(writer, with: service, until: isOver) }
    thread.start()
    defer {
      isOver.raise()
      isOver.waitForWriter()
    }
    return try work(service, ContinuousClock.now + span)
  }

  private static func write(_ writer: Writer, with service: DALService, until isOver: Flag) {
    defer { isOver.writerEnded() }
    var number = 0
    while writer != .none && !isOver.isRaised {
      number += 1
      service.writeSync { context in
        switch writer {
        case .small: Player.first(in: context)?.score = Double(number)
        default: for player in Player.all(in: context) { player.score = Double(number) }
        }
      }
    }
  }

  /// Tells the writer to end, and when it has.
  private final class Flag: Sendable {
    private let raised = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    var isRaised: Bool { raised.load(ordering: .relaxed) }
    func raise() { raised.store(true, ordering: .relaxed) }
    func writerEnded() { ended.signal() }
    func waitForWriter() { ended.wait() }
  }
}
