// SPDX-License-Identifier: MIT
import Sporades
import Testing

/// One observation of a random run, and the question that a fresh fetch answers.
struct ObservedRequest: Sendable {
  let name: String
  /// The rows of the request alone decide, so the store is hardly ever asked again.
  let isExact: Bool
  let follower: Follower<[String]>
  let fresh: @Sendable (ManagedObjectContext) throws -> [String]

  private init<Object: Player>(
    _ name: String, _ request: TypedRequest<Object>, isExact: Bool = true, on service: DALService,
    _ text: @escaping @Sendable (Object) -> String = { $0.values }
  ) {
    self.name = name
    self.isExact = isExact
    follower = Follower(service.observe(request, mapping: { $0.map(text) }))
    fresh = { try request.fetch(in: $0).map(text) }
  }

  private init(_ name: String, count request: TypedRequest<Player>, on service: DALService) {
    self.name = name
    isExact = true
    follower = Follower(service.observe(count: request).map { ["\($0)"] })
    fresh = { ["\(try request.count(in: $0))"] }
  }

  private init(teamsOn service: DALService) {
    name = "teams and players"
    isExact = true
    let text: @Sendable ([Team], [Player]) -> [String] = { teams, players in
      teams.map { "\($0.rank):\($0.players.count)" } + players.map(\.values)
    }
    let (teams, players) = (Team.sorted(by: \.rank), Player.where(\.score < 3).sorted(by: \.name))
    follower = Follower(service.observe(teams, players, mapping: text))
    fresh = { text(try teams.fetch(in: $0), try players.fetch(in: $0)) }
  }

  static func all(on service: DALService) -> [ObservedRequest] {
    filters(service) + bounded(service) + related(service)
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
      .init("last", players.sorted(by: .descending(\.group)).limit(9).offset(20), on: service),
    ]
  }

  private static func related(_ service: DALService) -> [ObservedRequest] {
    let players = Player.request
    return [
      .init("teams' names", players.sorted(by: \.name), on: service) {
        "\($0.values) \($0.team?.name ?? "-") \($0.team?.club?.country ?? "-")"
      },
      .init("idols", players.where(\.score > 6).sorted(by: \.name), on: service) {
        "\($0.values) \($0.idols.map(\.name).sorted())"
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
}

extension League.Player {
  /// The player's own values.
  fileprivate var values: String {
    "\(objectID.key.primaryKey):\(name)\(score)\(group ?? "-")"
  }
}
