// SPDX-License-Identifier: MIT
import Sporades
import SporadesLive

/// One kind of request whose controllers the random steps check.
enum FollowedRequest: CaseIterable {
  case all, unsorted, ofScore, byTeam, byClub, ofIdols, inGroups, limited, window, limitedGroups
  case keepers, bySize, byInitial, stored

  func controller(in context: ManagedObjectContext) -> FetchedResultsController<Player> {
    let players = Player.request
    switch self {
    case .all: return .init(players.sorted(by: \.name), in: context)
    case .unsorted: return .init(players, in: context)
    case .ofScore:
      return .init(
        players.where(\.score > 4).sorted(by: .descending(\.score), .ascending(\.name)), in: context
      )
    case .byTeam:
      return .init(
        players.sorted(by: \.team!.name, \.name), in: context, sectionNameKeyPath: "team.name")
    case .byClub:
      return .init(
        players.where(\.team!.club!.country == "c1").sorted(by: \.team!.rank, \.score), in: context)
    case .ofIdols:
      return .init(
        players.where((\Player.idols).any(\.score > 5)).sorted(by: \.name), in: context)
    case .inGroups:
      return .init(players.sorted(by: \.group, \.score), in: context, sections: \.group)
    case .limited: return .init(players.sorted(by: \.score).limit(5), in: context)
    case .window:
      return .init(players.where(\.score > 1).sorted(by: \.name).limit(4).offset(3), in: context)
    case .limitedGroups:
      return .init(
        players.sorted(by: \.group, \.name).limit(7), in: context, sectionNameKeyPath: "group")
    case .keepers:
      return .init(FetchRequest("Goalkeeper", sortedBy: [SortTerm("score")]), in: context)
    case .bySize:
      return .init(players.where(\.team!.size > 1).sorted(by: \.team!.size, \.name), in: context)
    case .byInitial:
      return .init(players.sorted(by: \.name), in: context) { $0.initial }
    case .stored:
      var request = FetchRequest("Player", sortedBy: [SortTerm("score")])
      request.includesPendingChanges = false
      return .init(request, in: context)
    }
  }
}
