// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

// Fetches with changes pending.
extension GraphRun {
  func fetch(_ step: GraphStep) throws {
    let (bound, limit) = (step.numbers[0] % 50, step.numbers[1] % 4)
    let (offset, kind) = (step.numbers[2] % 4, step.numbers[3] % 8)
    let level = levels[levels.count - 1]
    let formats = [
      "home.zip > %d", "ANY friends.home.zip > %d", "parent.home.zip < %d", "dogs.@count < %d",
      "spouse != nil AND age > %d", "NONE dogs.weight < %d", "ALL children.home.zip > %d",
      "ANY shelf.title != nil OR home.zip = %d",
    ]
    let bounded = kind == 3 ? bound % 3 : bound
    let predicate = try FetchPredicate(format: formats[kind], bounded)
    let isAscending = step.numbers[1] % 8 < 4
    let request = FetchRequest(
      "Person", where: predicate,
      sortedBy: [SortTerm("home.zip", ascending: isAscending), SortTerm("age")],
      limit: limit == 0 ? nil : limit,
      offset: offset)
    let plain = level.plain
    var expected = plain.people.filter { key, human in
      func zip(_ key: Int?) -> Int? { key.flatMap { plain.people[$0] }.flatMap(Self.zip) }
      return switch kind {
      case 0: (Self.zip(human) ?? -1) > bound
      case 1: human.friends.contains { (zip($0) ?? -1) > bound }
      case 2: zip(human.parent).map { $0 < bound } ?? false
      case 3: plain.dogs(of: key).count < bounded
      case 4: human.spouse != nil && key > bound
      case 5: !plain.dogs(of: key).contains { $0 < bound }
      case 6: plain.children(of: key).allSatisfy { (zip($0) ?? -1) > bound }
      default: !human.shelf.isEmpty || Self.zip(human) == bound
      }
    }.map(\.key)
    expected.sort { left, right in
      let (one, two) = (Self.order(plain, left), Self.order(plain, right))
      return one == two ? left < right : (one < two) == isAscending
    }
    let all = expected.count
    expected = Array(expected.dropFirst(offset).prefix(limit == 0 ? .max : limit))
    let (found, count) = try level.queue.performAndWait { context in
      var whole = request
      whole.fetchLimit = nil
      whole.fetchOffset = 0
      return (try context.fetch(Person.self, request).map(\.age), try context.count(whole))
    }
    if found != expected || count != all {
      fail("\(formats[kind]) \(bounded): \(found) (\(count)), not \(expected) (\(all))")
    }
  }

  /// nil where the person never got a home.
  private static func zip(_ human: PlainGraph.Human) -> Int? { human.zip }

  private static func order(_ plain: PlainGraph, _ key: Int) -> Int { plain.people[key]?.zip ?? -1 }
}
