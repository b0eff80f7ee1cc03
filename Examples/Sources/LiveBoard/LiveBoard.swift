// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// A board of players and teams that redraws when this or another process writes.
@main struct LiveBoard {
  private static let usage = """
    usage: LiveBoard FILE make               writes the sample data
           LiveBoard FILE score NAME POINTS  gives a player points
           LiveBoard FILE watch [TOTAL]      shows the board until it has so many points
           LiveBoard FILE play ROUNDS        shows the board while a task of this process plays
    """

  static func main() async {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard arguments.count >= 2 else { throw Wrong(usage) }
      try await run(League(arguments[0]), arguments[1], Array(arguments.dropFirst(2)))
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ league: League, _ order: String, _ rest: [String]) async throws {
    switch (order, rest.count) {
    case ("make", 0): try league.make()
    case ("score", 2):
      guard let points = Int(rest[1]) else { throw Wrong(usage) }
      try league.give(points, to: rest[0])
    case ("watch", 0...1): try await show(league, until: rest.first.flatMap { Int($0) })
    case ("play", 1):
      guard let rounds = Int(rest[0]) else { throw Wrong(usage) }
      let end = try league.total() + rounds
      async let played: Void = league.play(rounds)
      try await show(league, until: end)
      try await played
    default: throw Wrong(usage)
    }
    try league.close()
  }

  /// Draws each new board. A terminal is redrawn in place; a file or a pipe gets the last board.
  private static func show(_ league: League, until total: Int?) async throws {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    var last = ""
    for try await board in league.boards {
      last = board.text
      // The codes take the cursor to the upper left corner, and clear what is below it.
      if isTerminal { print("\u{1B}[H\u{1B}[J" + last) }
      if let total, board.total >= total { break }
    }
    if !isTerminal { print(last) }
  }
}

/// A mistake in the arguments, or in the data.
struct Wrong: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
