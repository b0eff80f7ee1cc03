// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesIndexing

/// A shop's products, and a search file outside of their store that follows them.
@main struct Catalog {
  private static let usage = """
    usage: Catalog write STORE COUNT SEED          changes products at random, COUNT times
           Catalog follow STORE INDEX [--once]     keeps INDEX like the products; --once ends when it is
           Catalog work STORE INDEX COUNT SEED     does both in one process
           Catalog list STORE                      prints the products as INDEX should have them
           Catalog show INDEX                      prints INDEX
           Catalog find INDEX WORD                 prints the products of INDEX with a word
           Catalog clean STORE KEEP                deletes the history, but for the newest KEEP saves
           Catalog reindex STORE INDEX             fills INDEX anew
    An INDEX whose name ends in .apart keeps its place in a file apart.
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
    guard words.count > 1 else { throw Usage("Say what to do, and name the file.") }
    switch (words[0], words.count) {
    case ("show", 2):
      for line in try CatalogFile(words[1]).lines() { say(line) }
    case ("find", 3):
      for line in try CatalogFile(words[1]).lines(with: words[2]) { say(line) }
    default:
      let service = Products.service(words[1])
      try await run(words, service)
      try service.close()
    }
  }

  private static func run(_ words: [String], _ service: DALService) async throws {
    switch (words[0], words.count) {
    case ("write", 4):
      try Shopkeeper(service, seed: UInt64(try number(words[3])))
        .write(try number(words[2]), .immediate)
    case ("follow", 3): try await follow(service, words[2])
    case ("follow", 4) where words[3] == "--once":
      let indexing = Products.indexing(service, words[2])
      try await indexing.catchUp()
      say("edition \(try CatalogFile(words[2]).edition())")
    case ("work", 5):
      let indexing = Products.indexing(service, words[2])
      try indexing.start()
      try Shopkeeper(service, seed: UInt64(try number(words[4])))
        .write(try number(words[3]), .eventual)
      await indexing.stop()
    case ("list", 2): for line in try Products.lines(of: service) { say(line) }
    case ("clean", 3):
      let retention = HistoryRetention(largestCount: try number(words[2]))
      say("deleted \(try service.cleanHistory(keeping: retention)) transactions")
    case ("reindex", 3):
      try await Products.indexing(service, words[2]).reindexAll()
      say("edition \(try CatalogFile(words[2]).edition())")
    default: throw Usage("What is \(words.joined(separator: " "))?")
    }
  }

  /// Follows for ever, and says the number of the last save in each batch.
  private static func follow(_ service: DALService, _ file: String) async throws {
    // snippet: indexing-updates
    let indexing = Products.indexing(service, file)
    let updates = indexing.updates()
    try indexing.start()
    for await update in updates {
      say("\(update.place.transactionNumber)")
    }
    // snippet end
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word), number >= 0 else { throw Usage("\(word) is no number.") }
    return number
  }

  /// Prints without a buffer in between: what was said has been said.
  static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("Catalog: \(text)\n".utf8))
  }
}

struct Usage: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
