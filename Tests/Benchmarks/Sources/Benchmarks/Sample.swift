// SPDX-License-Identifier: MIT
import RawStore

/// How much work a run does.
struct Scale {
  var players: Int
  var teams: Int
  /// One-object writes.
  var singles: Int
  /// Lines of an order before more are written.
  var lines: Int
  /// Objects looked up by key.
  var lookups: Int
  /// Filtered fetches without and with an index.
  var scans: Int
  var searches: Int
  /// Reads and writes of each of several readers.
  var mixed: Int
  /// Rows of a file that is migrated.
  var readings: Int
  /// One-row writes while others observe.
  var observedWrites: Int
  /// Tickets before more are made, and those that are.
  var tickets: Int
  var newTickets: Int
  /// Stories whose words are searched, searches of them, and changes of them.
  var stories: Int
  var storySearches: Int
  var storyChanges: Int
  var rounds: Int

  static let full = Scale(
    players: 100_000, teams: 200, singles: 2_000, lines: 10_000, lookups: 10_000, scans: 20,
    searches: 1_000, mixed: 10_000, readings: 1_000_000, observedWrites: 1_000,
    tickets: 250_000, newTickets: 10_000, stories: 100_000, storySearches: 1_000,
    storyChanges: 2_000, rounds: 7)
  /// Enough to see that everything runs and both sides agree; too little to compare speeds.
  static let short = Scale(
    players: 5_000, teams: 20, singles: 50, lines: 500, lookups: 500, scans: 2, searches: 20,
    mixed: 100,
    readings: 20_000, observedWrites: 50,
    tickets: 2_000, newTickets: 400, stories: 2_000, storySearches: 50, storyChanges: 100, rounds: 2
  )
}

/// The data of a run: made from a seed, so the same in every run and on both sides.
struct Sample {
  let scale: Scale
  let teams: [Team]
  /// Player *n* has the id *n* + 1.
  let players: [RawPlayer]
  /// Distinct ids of players, in random order.
  let lookups: [Int64]
  let searches: [Search]

  struct Team {
    let id: Int64
    let name: String
    let city: String
  }

  /// The oldest and youngest age wanted, and how the last name begins.
  struct Search {
    let ages: Range<Int64>
    let prefix: String
    /// The first text behind all those with the prefix, in byte order.
    let end: String
  }

  init(_ scale: Scale) {
    var random = SeededGenerator(seed: 20_260_801)
    self.scale = scale
    teams = (1...scale.teams).map {
      Team(id: Int64($0), name: "Team \($0)", city: Words.pick(Words.cities, &random))
    }
    players = (1...scale.players).map { Sample.player($0, scale, &random) }
    lookups = (1...Int64(scale.players)).shuffled(using: &random).prefix(scale.lookups).map { $0 }
    searches = (0..<max(scale.scans, scale.searches)).map { _ in Sample.search(&random) }
  }

  private static func player(
    _ number: Int, _ scale: Scale, _ random: inout SeededGenerator
  ) -> RawPlayer {
    let first = Words.pick(Words.firstNames, &random)
    let last = Words.pick(Words.stems, &random) + Words.pick(Words.endings, &random)
    return RawPlayer(
      id: Int64(number), firstName: first, lastName: last,
      // Longer than the fifteen bytes a Swift string holds in place, as real ones are.
      email: "\(first.lowercased()).\(last.lowercased()).\(number)@example.com",
      age: Int64.random(in: 16..<76, using: &random),
      score: Double.random(in: 0..<1_000, using: &random), isActive: Bool.random(using: &random),
      createdAt: Double.random(in: 600_000_000..<800_000_000, using: &random),
      team: Int64.random(in: 1...Int64(scale.teams), using: &random))
  }

  private static func search(_ random: inout SeededGenerator) -> Search {
    let age = Int64.random(in: 16..<73, using: &random)
    let letter = Words.pick(Words.stems, &random).utf8.first ?? UInt8(ascii: "A")
    return Search(
      ages: age..<age + 3, prefix: String(UnicodeScalar(letter)),
      end: String(UnicodeScalar(letter + 1)))
  }
}

/// SplitMix64: small, and the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

private enum Words {
  static let firstNames = [
    "Ada", "Alma", "Anton", "Astrid", "Bruno", "Cecilia", "Clara", "David", "Dorothea", "Edgar",
    "Elin", "Emil", "Eva", "Filip", "Freja", "Gustaf", "Hanna", "Henrik", "Ida", "Ivar", "Johanna",
    "Karl", "Klara", "Leo", "Lovisa", "Maja", "Mikael", "Nils", "Nora", "Olof", "Otto", "Per",
    "Ragnhild", "Saga", "Sigrid", "Sixten", "Stella", "Theodor", "Ulrika", "Vera", "Viktor",
    "Wilma",
  ]
  static let stems = [
    "Alm", "Berg", "Borg", "Ceder", "Dahl", "Ek", "Fjäll", "Gran", "Hag", "Holm", "Is", "Jern",
    "Kvarn", "Lind", "Lund", "Malm", "Nord", "Oster", "Palm", "Quist", "Rosen", "Sand", "Stål",
    "Tall", "Ulf", "Vester", "Wall", "Ytter", "Zetter",
  ]
  static let endings = [
    "berg", "blad", "dal", "fors", "gren", "hult", "kvist", "lund", "man", "ros", "stedt", "ström",
    "vall", "ved",
  ]
  static let cities = ["Athens", "Bergen", "Cork", "Dresden", "Essen", "Faro", "Ghent", "Hilo"]

  static func pick(_ words: [String], _ random: inout SeededGenerator) -> String {
    words[Int.random(in: 0..<words.count, using: &random)]
  }
}
