// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesPostgreSQL

/// Four workers and two readers over two servers, of which one is killed. The program starts all of them, and proves at the
/// end that no acknowledged write is lost or was done twice.
@main struct Fleet {
  static func main() async {
    do {
      switch CommandLine.arguments.dropFirst().map(\.self) {
      case []: try await run()
      case let words where words.count == 3 && words[0] == "work":
        try Worker(address: words[1], name: words[2]).work()
      case let words where words.count == 2 && words[0] == "read":
        try await Reader(address: words[1]).read()
      default: throw Problem("Fleet takes no arguments; it starts its workers and readers itself.")
      }
    } catch {
      FileHandle.standardError.write(Data("Fleet: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run() async throws {
    let servers = try Servers()
    defer { servers.end() }
    // The tables are made once, and the standby has them before anybody asks.
    try Orders.service(servers.address, reads: .primary).close()
    say("a primary writes, and a standby follows it")
    let workers = try (1...4).map { try Member(["work", servers.address, "\($0)"]) }
    let readers = try (1...2).map { _ in try Member(["read", servers.address]) }
    let all = workers + readers
    defer { for member in all { member.end() } }

    try measure(workers, readers)
    try servers.killPrimary()
    let ends = workers.map(\.count)
    say("the primary was killed")
    try servers.promoteStandby()
    // Each worker goes on by itself.
    try wait(for: all) { zip(workers, ends).allSatisfy { $0.count >= $1 + 20 } }
    try measure(workers, readers)
    for member in all { try member.stop() }

    let acknowledged = workers.flatMap(\.lines)
    let service = Orders.service(servers.address, reads: .primary)
    let kept = try await service.read { try Order.all(in: $0).map(\.number) }
    try service.close()
    try check(acknowledged, kept)
    say("all \(acknowledged.count) acknowledged orders are there, each of them once")
  }

  /// Says what is done in a second.
  private static func measure(_ workers: [Member], _ readers: [Member]) throws {
    func counts() -> (Int, Int) {
      (workers.reduce(0) { $0 + $1.count }, readers.reduce(0) { $0 + $1.count })
    }
    let (start, before) = (ContinuousClock.now, counts())
    try wait(for: workers + readers) {
      workers.allSatisfy { $0.count >= 20 } && readers.allSatisfy { $0.count >= 20 }
        && start.duration(to: .now) >= .seconds(1)
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    func rate(_ after: Int, _ before: Int) -> Int { Int(Double(after - before) / seconds) }
    let after = counts()
    say(
      "4 workers write \(rate(after.0, before.0)) orders a second, 2 readers read "
        + "\(rate(after.1, before.1)) times a second")
  }

  private static func wait(for members: [Member], until condition: () -> Bool) throws {
    try poll(or: "The fleet does not go on.") {
      for member in members { try member.check() }
      return condition()
    }
  }

  private static func check(_ acknowledged: [String], _ kept: [String]) throws {
    let counts = Dictionary(kept.map { ($0, 1) }, uniquingKeysWith: +)
    let (lost, repeated) = (
      acknowledged.filter { counts[$0] == nil }, counts.filter { $0.value > 1 }.keys.sorted()
    )
    guard lost.isEmpty, repeated.isEmpty else {
      throw Problem("Lost orders: \(lost.prefix(10)), repeated ones: \(repeated.prefix(10))")
    }
  }

  /// Prints without a buffer in between: what was said has been said.
  static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}

/// Waits until a condition holds. Throws the problem if it does not within half a minute.
func poll(or problem: String, until condition: () throws -> Bool) throws {
  let deadline = ContinuousClock.now + .seconds(30)
  while try !condition() {
    guard ContinuousClock.now < deadline else { throw Problem(problem) }
    usleep(20_000)
  }
}

/// What went wrong, in a sentence.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
