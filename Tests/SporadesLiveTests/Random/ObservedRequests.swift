// SPDX-License-Identifier: MIT
import Sporades
import Testing

/// A row as an observer shows it.
struct ShownRow: Hashable, Sendable, CustomStringConvertible {
  let key: Int64
  var name = ""
  var score = 0
  var group: String?
  /// What was read through relationships.
  var related: [String] = []

  init(_ key: Int64) { self.key = key }

  init(_ key: Int64, _ group: String?, _ score: Int) {
    (self.key, self.group, self.score) = (key, group, score)
  }

  init(_ player: Player) {
    key = player.objectID.key.primaryKey
    (name, score, group) = (player.name, player.score, player.group)
  }

  init(_ team: Team) {
    key = team.objectID.key.primaryKey
    (name, score) = (team.name, team.rank)
  }

  /// The row with more that belongs to it.
  func with(_ related: [String]) -> ShownRow {
    var row = self
    row.related = related
    return row
  }

  var description: String { "\(key):\(name)\(score)\(group ?? "-")\(related)" }
}

/// One observation of a random run, and the question that a fresh fetch answers.
struct ObservedRequest: Sendable {
  let name: String
  /// The rows of the request alone decide, so the store is hardly ever asked again.
  let isExact: Bool
  /// Calls a function with each value of the observation.
  let follow: @Sendable (@Sendable ([ShownRow]) -> Void) async throws -> Void
  let fresh: @Sendable (ManagedObjectContext) throws -> [ShownRow]

  private init<Object: Player>(
    _ name: String, _ request: TypedRequest<Object>, isExact: Bool = true, on service: DALService,
    _ row: @escaping @Sendable (Object) -> ShownRow = { ShownRow($0) }
  ) {
    self.name = name
    self.isExact = isExact
    let values = service.observe(request, mapping: { $0.map(row) })
    follow = { show in for try await value in values { show(value) } }
    fresh = { try request.fetch(in: $0).map(row) }
  }

  private init(_ name: String, count request: TypedRequest<Player>, on service: DALService) {
    self.name = name
    isExact = true
    let values = service.observe(count: request)
    follow = { show in for try await count in values { show([ShownRow(Int64(count))]) } }
    fresh = { [ShownRow(Int64(try request.count(in: $0)))] }
  }

  private init<Key: Sendable, Values: Sendable>(
    _ name: String, groups request: GroupedRequest<Player, Key, Values>, isExact: Bool = true,
    on service: DALService, _ row: @escaping @Sendable (Key, Values) -> ShownRow
  ) {
    self.name = name
    self.isExact = isExact
    let values = service.observe(groups: request)
    follow = { show in for try await value in values { show(value.map(row)) } }
    fresh = { try request.fetch(in: $0).map(row) }
  }

  private init(teamsOn service: DALService) {
    name = "teams and players"
    isExact = true
    let rows: @Sendable ([Team], [Player]) -> [ShownRow] = { teams, players in
      teams.map { ShownRow($0).with(["\($0.players.count)"]) } + players.map { ShownRow($0) }
    }
    let (teams, players) = (Team.sorted(by: \.rank), Player.where(\.score < 3).sorted(by: \.name))
    let values = service.observe(teams, players, mapping: rows)
    follow = { show in for try await value in values { show(value) } }
    fresh = { rows(try teams.fetch(in: $0), try players.fetch(in: $0)) }
  }

  static func all(on service: DALService) -> [ObservedRequest] {
    filters(service) + bounded(service) + related(service) + groups(service)
  }

  private static func filters(_ service: DALService) -> [ObservedRequest] {
    let players = Player.request
    return [
      .init("unsorted", players, on: service),
      .init("by name", players.sorted(by: \.name), on: service),
      .init("by group", players.sorted(by: \.group, \.score), on: service),
      .init("equal", players.where(\.score == 4), on: service),
      .init("other", players.where(\.score != 4).sorted(by: \.group), on: service),
      .init("above", players.where(\.score > 4).sorted(by: .descending(\.score)), on: service),
      .init("between", Player.where("score BETWEEN {3, 6}").sorted(by: \.name), on: service),
      .init("in group", players.where(\.group == "g1"), on: service),
      .init("in no group", players.where(\.group == nil).sorted(by: \.score), on: service),
      .init("of groups", Player.where("group IN {'g1', 'g2'} AND score > 2"), on: service),
      .init("either", players.where(\.score == 1 || \.score == 8), on: service),
      .init("any", players.where(\.score == 1 || \.name == "c"), on: service),
      .init("like", Player.where("name CONTAINS[cd] 'A' OR group ENDSWITH '2'"), on: service),
      .init("without team", players.where(\.team == nil).sorted(by: \.name), on: service),
      .init("keepers", League.Goalkeeper.sorted(by: \.score), on: service),
      .init("few keepers", League.Goalkeeper.where(\.score > 5), on: service),
      .init("number", count: players, on: service),
      .init("number above", count: players.where(\.score > 5), on: service),
      .init("number of page", count: players.where(\.score > 1).limit(6).offset(3), on: service),
    ]
  }

  private static func bounded(_ service: DALService) -> [ObservedRequest] {
    let players = Player.request
    return [
      .init("first", players.sorted(by: \.score).limit(1), on: service),
      .init("five", players.sorted(by: \.score, \.name).limit(5), on: service),
      .init("none", players.sorted(by: \.score).limit(0), on: service),
      .init(
        "window", players.where(\.score > 1).sorted(by: \.name).limit(4).offset(3), on: service),
      .init("rest", players.sorted(by: \.name).offset(7), on: service),
      .init("last", players.sorted(by: .descending(\.group)).limit(5).offset(12), on: service),
    ]
  }

  private static func related(_ service: DALService) -> [ObservedRequest] {
    let players = Player.request
    return [
      .init("teams' names", players.sorted(by: \.name), on: service) {
        ShownRow($0).with([$0.team?.name ?? "-", $0.team?.club?.country ?? "-"])
      },
      .init("idols", players.where(\.score > 6).sorted(by: \.name), on: service) {
        ShownRow($0).with($0.idols.map(\.name).sorted())
      },
      .init("by team", players.sorted(by: \.team!.name, \.name), isExact: false, on: service),
      .init(
        "of club", players.where(\.team!.club!.country == "c1").sorted(by: \.score), isExact: false,
        on: service),
      .init(
        "of idols", players.where((\Player.idols).any(\.score > 5)), isExact: false, on: service),
      .init("in big teams", players.where(\.team!.size > 1), isExact: false, on: service),
      .init(teamsOn: service),
    ]
  }

  private static func groups(_ service: DALService) -> [ObservedRequest] {
    let players = Player.request
    return [
      .init(
        "groups", groups: players.grouped(by: \.group) { ($0.count, $0.sum(\.score)) },
        on: service
      ) { group, values in ShownRow(Int64(values.0), group, values.1) },
      .init(
        "extremes",
        groups: players.where(\.score > 1).grouped(by: \.group) {
          ($0.min(\.score), $0.max(\.name))
        }, on: service
      ) { group, values in ShownRow(0, group, values.0 ?? -1).with([values.1 ?? "-"]) },
      .init(
        "large groups",
        groups: players.grouped(by: \.group, \.score) { ($0.average(\.score), $0.count(\.group)) }
          .having { $0.count > 1 }.sorted { .descending($0.count) }.limit(3), on: service
      ) { keys, values in
        ShownRow(Int64(values.1), keys.0, keys.1).with(["\(values.0 ?? -1)"])
      },
      .init(
        "all names", groups: players.grouped(by: \.name) { $0.count(distinct: \.score) },
        isExact: false, on: service
      ) { name, count in ShownRow(Int64(count), name, 0) },
      .init(
        "groups of teams",
        groups: players.grouped(by: \.team?.name) { ($0.count, $0.sum(\.score)) }, isExact: false,
        on: service
      ) { name, values in ShownRow(Int64(values.0), name, values.1) },
    ]
  }
}
