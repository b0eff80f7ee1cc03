// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesTesting

/// One run of random operations, and what it found.
///
/// A main writer changes everything. A sibling renames people and saves at once, whether the writer
/// has changes or not; nobody else renames, so both their changes stay.
final class GraphRun {
  static let steps = Int(ProcessInfo.processInfo.environment["SPORADES_STEPS"] ?? "") ?? 500

  private(set) var failures: [String] = []
  private(set) var script: [String] = []
  private let stack: DataStack
  private let writer: ContextQueue
  private let sibling: ContextQueue
  private var random: SeededGenerator
  private var stored = PlainGraph()
  private var plain = PlainGraph()
  private var lastNumber = 0

  init(_ kind: StoreKind, seed: UInt64) throws {
    stack = try kind.people()
    writer = stack.newContext(name: "writer")
    sibling = stack.newContext(name: "sibling")
    random = SeededGenerator(seed: seed)
  }

  private func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private func pick<C: Collection>(_ all: C) -> C.Element? where C.Element: Comparable {
    let sorted = all.sorted()
    return sorted.isEmpty ? nil : sorted[number(sorted.count)]
  }

  private func some<C: Collection>(_ all: C) -> [C.Element] where C.Element: Comparable {
    Array(all.sorted().shuffled(using: &random).prefix(number(5)))
  }

  func step(_ index: Int) throws {
    switch number(20) {
    case 0...10: try change(writer, &plain)
    case 11...12: try save()
    case 13: try rollBack()
    case 14...15: try nest(in: writer, depth: 1 + number(2), &plain)
    case 16...17: try rename()
    case 18: try refresh()
    default: try resetIfClean()
    }
    try compare(writer, plain, "writer")
    if number(4) == 0 { try compare(sibling, stored, "sibling") }
    if number(2) == 0 { try fetchSomething() }
  }

  private func note(_ text: String) { script.append(text) }

  private func compare(
    _ queue: ContextQueue, _ expected: PlainGraph, _ name: String
  ) throws {
    var found: [String] = []
    let actual = try queue.performAndWait { try PlainGraph($0, &found) }
    failures += found.map { "\(name): \($0)" }
    guard actual != expected else { return }
    for key in Set(actual.people.keys).union(expected.people.keys).sorted()
    where actual.people[key] != expected.people[key] {
      failures.append(
        "\(name): \(key) is \(actual.people[key] as Any), not \(expected.people[key] as Any)")
    }
    if actual.dogs != expected.dogs { failures.append("\(name): \(actual.dogs), \(expected.dogs)") }
    if actual.books != expected.books { failures.append("\(name): books") }
  }

  // MARK: - Operations

  private func save() throws {
    note("save")
    try writer.performAndWait { try $0.save() }
    stored = plain
    try compare(stack.newContext(), stored, "fresh")
    try checkDerived()
  }

  private func checkDerived() throws {
    let expected = plain
    let wrong = try sibling.performAndWait { context in
      try Person.all(in: context).filter { $0.dogCount != expected.dogs(of: $0.age).count }.map(
        \.age)
        + Dog.all(in: context).filter { $0.ownerName != $0.owner?.name }.map(\.weight)
    }
    if !wrong.isEmpty { failures.append("derived values of \(wrong)") }
  }

  private func rollBack() throws {
    note("rollback")
    writer.performAndWait { $0.rollback() }
    plain = stored
  }

  private func refresh() throws {
    note("refresh")
    writer.performAndWait { $0.refreshAllObjects() }
  }

  private func resetIfClean() throws {
    let isClean = writer.performAndWait { !$0.hasChanges }
    guard isClean else { return }
    note("reset")
    writer.performAndWait { $0.reset() }
  }

  private func rename() throws {
    guard let person = pick(stored.people.keys) else { return }
    let name = "name \(number(1000))"
    note("sibling: name of \(person) is \(name)")
    try sibling.performAndWait { context in
      try Person.first(where: \.age == person, in: context)?.name = name
      try context.save()
    }
    stored.people[person]?.name = name
    plain.people[person]?.name = name
  }

  private func nest(
    in parent: ContextQueue, depth: Int, _ outer: inout PlainGraph
  ) throws {
    let child = stack.newChild(of: parent)
    var inner = outer
    note("child {")
    for _ in 0...number(4) { try change(child, &inner) }
    if depth > 1 { try nest(in: child, depth: depth - 1, &inner) }
    try compare(child, inner, "child")
    if number(4) > 0 {
      note("} saved")
      try child.performAndWait { try $0.save() }
      outer = inner
    } else {
      note("} dropped")
    }
    try compare(parent, outer, "parent")
  }

  private func change(_ queue: ContextQueue, _ plain: inout PlainGraph) throws {
    switch number(12) {
    case 0...2: try insert(queue, &plain)
    case 3: try delete(queue, &plain)
    case 4: try setHome(queue, &plain)
    default: try relate(queue, &plain)
    }
  }

  private func insert(_ queue: ContextQueue, _ plain: inout PlainGraph) throws {
    lastNumber += 1
    let new = lastNumber
    let kind = number(3)
    note("insert \(["person", "dog", "book"][kind]) \(new)")
    let owner = pick(plain.people.keys)
    switch kind {
    case 0 where plain.people.count < 10:
      queue.performAndWait { _ = Person.make("", age: new, in: $0) }
      plain.people[new] = .init()
    case 1 where plain.dogs.count < 10:
      try queue.performAndWait { context in
        let dog = Dog.create(in: context)
        dog.weight = new
        dog.owner = try person(owner, context)
      }
      plain.dogs[new] = .some(owner)
    case 2 where plain.books.count < 10:
      queue.performAndWait { Book.create(in: $0).title = "\(new)" }
      plain.books.insert(new)
    default: break
    }
  }

  private func delete(_ queue: ContextQueue, _ plain: inout PlainGraph) throws {
    if number(2) == 0, let victim = pick(plain.people.keys) {
      note("delete person \(victim)")
      try queue.performAndWait { context in
        if let object = try person(victim, context) { context.delete(object) }
      }
      plain.delete(person: victim)
    } else if let victim = pick(plain.books) {
      note("delete book \(victim)")
      try queue.performAndWait { context in context.delete(try book(victim, context)) }
      plain.delete(book: victim)
    }
  }

  private func setHome(_ queue: ContextQueue, _ plain: inout PlainGraph) throws {
    guard let who = pick(plain.people.keys) else { return }
    let zip = number(50)
    note("zip of \(who) is \(zip)")
    try queue.performAndWait { context in
      try person(who, context)?.home = Home(city: "city \(zip)", zip: zip)
    }
    plain.people[who]?.zip = zip
  }

  private func relate(_ queue: ContextQueue, _ plain: inout PlainGraph) throws {
    guard let who = pick(plain.people.keys) else { return }
    let other = number(5) == 0 ? nil : pick(plain.people.keys)
    let (friends, list, item) = (Set(some(plain.people.keys)), some(plain.books), pick(plain.books))
    let (dog, kind) = (pick(plain.dogs.keys), number(8))
    note(
      "relate \(kind) of \(who): \(other as Any) \(friends) \(list) \(item as Any) \(dog as Any)")
    try queue.performAndWait { context in
      guard let object = try person(who, context) else { return }
      switch kind {
      case 0: object.spouse = try person(other, context)
      case 1: object.parent = try person(other, context)
      case 2: object.friends = Set(try friends.compactMap { try person($0, context) })
      case 3: object.shelf = try list.map { try book($0, context) }
      case 4: object.reads = try list.map { try book($0, context) }
      case 5: if let item { try book(item, context).keeper = try person(other, context) }
      case 6:
        if let item {
          try book(item, context).readers = Set(try friends.compactMap { try person($0, context) })
        }
      default:
        let found = try dog.flatMap { dog in try Dog.first(where: \.weight == dog, in: context) }
        if let found { object.dogs.insert(found) }
      }
    }
    switch kind {
    case 0: plain.marry(who, other)
    case 1: plain.people[who]?.parent = other
    case 2: plain.befriend(who, friends)
    case 3: plain.keep(who, list)
    case 4: plain.people[who]?.reads = list
    case 5: if let item { plain.setKeeper(item, other) }
    case 6: if let item { plain.setReaders(item, friends) }
    default: if let dog { plain.dogs[dog] = .some(who) }
    }
  }

  private func person(_ number: Int?, _ context: ManagedObjectContext) throws -> Person? {
    guard let number else { return nil }
    return try Person.first(where: \.age == number, in: context)
  }

  private func book(_ number: Int, _ context: ManagedObjectContext) throws -> Book {
    guard let book = try Book.first(where: \.title == "\(number)", in: context) else {
      throw ContextError.unknownEntity("book \(number)")
    }
    return book
  }

  // MARK: - Fetches with changes pending

  private func fetchSomething() throws {
    let (bound, limit, offset, kind) = (number(50), number(4), number(4), number(8))
    let formats = [
      "home.zip > %d", "ANY friends.home.zip > %d", "parent.home.zip < %d", "dogs.@count < %d",
      "spouse != nil AND age > %d", "NONE dogs.weight < %d", "ALL children.home.zip > %d",
      "ANY shelf.title != nil OR home.zip = %d",
    ]
    let bounded = kind == 3 ? bound % 3 : bound
    let predicate = try FetchPredicate(format: formats[kind], bounded)
    let isAscending = number(2) == 0
    let request = FetchRequest(
      "Person", where: predicate,
      sortedBy: [SortTerm("home.zip", ascending: isAscending), SortTerm("age")], limit: limit,
      offset: offset)
    let plain = plain
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
    let (found, count) = try writer.performAndWait { context in
      var whole = request
      whole.fetchLimit = 0
      whole.fetchOffset = 0
      return (try context.fetch(Person.self, request).map(\.age), try context.count(whole))
    }
    if found != expected || count != all {
      failures.append("\(formats[kind]) \(bounded): \(found) (\(count)), not \(expected) (\(all))")
    }
  }

  /// nil where the person never got a home.
  private static func zip(_ human: PlainGraph.Human) -> Int? { human.zip }

  private static func order(_ plain: PlainGraph, _ key: Int) -> Int { plain.people[key]?.zip ?? -1 }
}
