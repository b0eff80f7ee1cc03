// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory

/// Two programs on one file: one writes notes, the other keeps a text file of them.
@main struct Mirror {
  private static let usage = """
    usage: Mirror write STORE COUNT SEED         changes notes at random, COUNT times
           Mirror follow STORE TEXT [--once]     keeps TEXT like the notes; --once ends when it is
           Mirror list STORE                     prints the notes as TEXT should have them
           Mirror clean STORE KEEP               deletes the history, but for the newest KEEP saves
    """

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch let problem as Usage {
      complain("\(problem)\n\(usage)")
      exit(64)
    } catch {
      complain("\(error)")
      exit(74)
    }
  }

  private static func run(_ words: [String]) async throws {
    guard words.count > 1 else { throw Usage("Say what to do, and name the store.") }
    let service = Notes.service(words[1])
    switch (words[0], words.count) {
    case ("write", 4):
      try Scribe(service, seed: UInt64(try number(words[3]))).write(try number(words[2]))
    case ("follow", 3): try await follow(service, words[2], untilNow: false)
    case ("follow", 4) where words[3] == "--once":
      try await follow(service, words[2], untilNow: true)
    case ("list", 2): for line in try Notes.page(of: service).rows { say(line) }
    case ("clean", 3):
      let retention = HistoryRetention(largestCount: try number(words[2]))
      say("deleted \(try service.cleanHistory(keeping: retention)) transactions")
    default: throw Usage("What is \(words.joined(separator: " "))?")
    }
    try service.close()
  }

  private static func follow(
    _ service: DALService, _ file: String, untilNow: Bool
  ) async throws {
    try await Follower(service, URL(fileURLWithPath: file)).follow(untilNow: untilNow)
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word), number >= 0 else { throw Usage("\(word) is no number.") }
    return number
  }

  /// Prints without a buffer in between: what was said has been said.
  static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("Mirror: \(text)\n".utf8))
  }
}

struct Usage: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
