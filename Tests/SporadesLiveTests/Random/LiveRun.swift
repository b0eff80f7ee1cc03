// SPDX-License-Identifier: MIT
import Sporades
import SporadesLive
import SporadesTesting

/// Random steps in three contexts, and controllers in two of them that are compared with fresh fetches.
///
/// The writer and its sibling are over the store. In runs with an odd seed a child is over the writer, which then
/// ends each block without unsaved changes, because a child does not hear of those.
final class LiveRun {
  /// A controller, its table, and the values that the table would show.
  private struct Watch {
    let request: FollowedRequest
    let controller: FetchedResultsController<Player>
    let table: TableViewModel<Player>
    var shown: [ObjectIdentifier: [String]] = [:]
  }

  private let stack: DataStack
  private let queues: [ContextQueue]
  private var watches: [[Watch]]
  private let hasChild: Bool
  private var random: SeededGenerator
  private(set) var log: [String] = []
  private(set) var failure: String?

  init(seed: UInt64) throws {
    stack = try League.makeStack()
    hasChild = seed % 2 == 1
    random = SeededGenerator(seed: seed)
    let writer = stack.newContext(name: "writer")
    let child = stack.newChild(of: writer, name: "child")
    queues = [writer, child, stack.newContext(name: "sibling")]
    watches = [[], [], []]
    for place in 0..<(hasChild ? 2 : 1) {
      watches[place] = try queues[place].performAndWait { context in
        context.automaticallyMergesChangesFromParent = true
        context.mergePolicy = .objectTrump
        if place == 0 { context.undoManager = ContextUndoManager() }
        return try FollowedRequest.allCases.map { request in
          let controller = request.controller(in: context)
          try controller.performFetch()
          return Watch(request: request, controller: controller, table: TableViewModel(controller))
        }
      }
    }
  }

  func run(_ count: Int) {
    for _ in 0..<count where failure == nil {
      let place = (hasChild ? [0, 1, 2] : [0, 2]).randomElement(using: &random) ?? 0
      queues[place].performAndWait { context in
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(context, place) }
        if place < 2 && Bool.random(using: &random) {
          context.processPendingChanges()
          check(place, context)
        }
        if hasChild && place == 0 { settle(context) }
      }
      for place in 0..<2 { queues[place].performAndWait { _ in } }
      for place in 0..<2 where failure == nil {
        queues[place].performAndWait { check(place, $0) }
      }
    }
  }

  // MARK: - Steps

  private func change(_ context: ManagedObjectContext, _ place: Int) {
    do { try step(context, place) } catch { log.append("  threw \(error)") }
  }

  /// Saves the writer's changes, or gives them up.
  private func settle(_ context: ManagedObjectContext) {
    do { try context.save() } catch { context.rollback() }
  }

  private func step(_ context: ManagedObjectContext, _ place: Int) throws {
    let number = Int.random(in: 0..<40, using: &random)
    log.append("\(context.name ?? "") \(number)")
    let players = try Player.all(sortedBy: \.name, in: context)
    let teams = try Team.all(sortedBy: \.rank, in: context)
    let player = players.randomElement(using: &random)
    let team = teams.randomElement(using: &random)
    switch number {
    case 0..<7 where players.count < 40: make(context)
    case 7..<10: if let player { context.delete(player) }
    case 10..<16: player?.score = small
    case 16..<19: player?.name = letter
    case 19..<22: player?.group = Bool.random(using: &random) ? nil : "g\(small % 4)"
    case 22..<25: player?.team = team
    case 25: player?.team = nil
    case 26..<28: team?.name = letter
    case 28: team?.rank = small
    case 29: if let team, teams.count > 2 { context.delete(team) }
    case 30: if teams.count < 6 { Team.create(in: context).name = letter }
    case 31: link(team, context)
    case 32: if let other = players.randomElement(using: &random) { player?.idols.insert(other) }
    case 33: player?.idols.removeAll()
    default: try endWork(context, place, player)
    }
  }

  private func endWork(
    _ context: ManagedObjectContext, _ place: Int, _ player: Player?
  ) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: try context.save()
    case 5: context.rollback()
    case 6: if place == 0 { context.undo() }
    case 7: if place == 0 { context.redo() }
    case 8: if Int.random(in: 0..<4, using: &random) == 0 { context.reset() }
    case 9: if let player { context.refresh(player, mergeChanges: Bool.random(using: &random)) }
    case 10: context.refreshAllObjects()
    default: try change(requestsOf: place)
    }
  }

  private func make(_ context: ManagedObjectContext) {
    let isKeeper = small == 0
    let player = isKeeper ? League.Goalkeeper.create(in: context) : Player.create(in: context)
    (player.name, player.score, player.group) = (letter, small, "g\(small % 4)")
  }

  private func link(_ team: Team?, _ context: ManagedObjectContext) {
    guard let team else { return }
    if team.club == nil { team.club = League.Club.create(in: context) }
    team.club?.country = "c\(small % 3)"
  }

  /// Changes the limit of a controller, and fetches again.
  private func change(requestsOf place: Int) throws {
    guard place < 2 else { return }
    for watch in watches[place] where watch.request == .ofScore {
      watch.controller.fetchRequest.fetchLimit = Bool.random(using: &random) ? nil : small
      watch.controller.fetchRequest.fetchOffset = small % 3
      try watch.controller.performFetch()
    }
  }

  private var small: Int { Int.random(in: 0..<10, using: &random) }
  private var letter: String { String(Character(Unicode.Scalar(UInt8(97 + small)))) }

  // MARK: - Checks

  private func check(_ place: Int, _ context: ManagedObjectContext) {
    for index in watches[place].indices where failure == nil {
      do { try check(&watches[place][index], context) } catch {
        fail(watches[place][index], "\(error)")
      }
    }
  }

  private func check(_ watch: inout Watch, _ context: ManagedObjectContext) throws {
    let fresh = try context.fetch(Player.self, watch.controller.fetchRequest)
    guard let objects = watch.controller.fetchedObjects else {
      return fail(watch, "has no results")
    }
    if objects != fresh {
      let (have, want) = (objects.map(text), fresh.map(text))
      return fail(watch, "\(context.name ?? "") shows \(have), and a fetch finds \(want)")
    }
    if let error = watch.table.errors.first { return fail(watch, "\(error)") }
    checkSections(watch, objects)
    checkShown(&watch, objects)
  }

  private func checkSections(_ watch: Watch, _ objects: [Player]) {
    var names: [String] = []
    for object in objects {
      let name = name(of: object, watch.request)
      if names.last != name { names.append(name) }
    }
    if ![.byTeam, .inGroups, .limitedGroups, .byInitial].contains(watch.request) { names = [""] }
    let sections = watch.controller.sections ?? []
    if sections.map(\.name) != names || sections.flatMap(\.objects) != objects {
      fail(watch, "has the sections \(sections.map(\.name)) instead of \(names)")
    }
  }

  private func name(of player: Player, _ request: FollowedRequest) -> String {
    switch request {
    case .byTeam: player.team?.name ?? ""
    case .byInitial: player.initial
    default: player.group ?? ""
    }
  }

  /// Every change of a shown value was reported.
  private func checkShown(_ watch: inout Watch, _ objects: [Player]) {
    let reported = Set(watch.table.takeReported())
    var now: [ObjectIdentifier: [String]] = [:]
    for object in objects {
      let id = ObjectIdentifier(object)
      now[id] = [object.name, "\(object.score)", object.group ?? "-"]
      if watch.request != .stored, let former = watch.shown[id], former != now[id],
        !reported.contains(id)
      {
        fail(
          watch,
          "in \(watch.controller.managedObjectContext.name ?? "") reported no change of \(text(object)) from \(former)"
        )
      }
    }
    watch.shown = now
  }

  private func text(_ player: Player) -> String {
    "\(player.objectID.key.primaryKey):\(player.name)\(player.score)\(player.group ?? "-")\(player.team?.name ?? "-")"
  }

  private func fail(_ watch: Watch, _ text: String) {
    if failure == nil { failure = "\(watch.request): \(text)" }
  }
}
