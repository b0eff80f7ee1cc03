// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

// Changes of the context that is worked on.
extension GraphRun {
  func change(_ step: GraphStep) throws {
    let top = levels.count - 1
    let before = levels[top].plain
    var plain = before
    try levels[top].queue.performAndWait { context in
      context.undoManager?.beginUndoGrouping()
      try change(step, context, &plain)
      context.undoManager?.endUndoGrouping()
    }
    levels[top].plain = plain
    guard top == 0, plain != before else { return }
    done.append(Change(before: before, after: plain))
    undone = []
  }

  private func change(
    _ step: GraphStep, _ context: ManagedObjectContext, _ plain: inout PlainGraph
  ) throws {
    switch step.kind {
    case .insertPerson, .insertDog, .insertBook: try insert(step, context, &plain)
    case .deletePerson:
      guard let victim = step.pick(0, plain.people.keys) else { return }
      if let object = try person(victim, context) { context.delete(object) }
      plain.delete(person: victim)
    case .deleteBook:
      guard let victim = step.pick(0, plain.books) else { return }
      context.delete(try book(victim, context))
      plain.delete(book: victim)
    case .zip:
      guard let who = step.pick(0, plain.people.keys) else { return }
      let zip = 1 + step.numbers[1] % 50
      try person(who, context)?.home = Home(city: "city \(zip)", zip: zip)
      plain.people[who]?.zip = zip
    case .keeper, .readers: try changeBook(step, context, &plain)
    default: try relate(step, context, &plain)
    }
  }

  private func insert(
    _ step: GraphStep, _ context: ManagedObjectContext, _ plain: inout PlainGraph
  ) throws {
    lastNumber += 1
    let new = lastNumber
    switch step.kind {
    case .insertPerson where plain.people.count < 10:
      Person.make("", age: new, in: context)
      plain.people[new] = .init()
    case .insertDog where plain.dogs.count < 10:
      let owner = step.pick(0, plain.people.keys)
      let dog = Dog.create(in: context)
      dog.weight = new
      dog.owner = try person(owner, context)
      plain.dogs[new] = .some(owner)
    case .insertBook where plain.books.count < 10:
      Book.create(in: context).title = "\(new)"
      plain.books.insert(new)
    default: break
    }
  }

  private func changeBook(
    _ step: GraphStep, _ context: ManagedObjectContext, _ plain: inout PlainGraph
  ) throws {
    guard let item = step.pick(0, plain.books) else { return }
    let book = try book(item, context)
    if step.kind == .keeper {
      let keeper = step.numbers[2] % 5 == 0 ? nil : step.pick(1, plain.people.keys)
      book.keeper = try person(keeper, context)
      plain.setKeeper(item, keeper)
    } else {
      let readers = Set(step.some(1, plain.people.keys))
      book.readers = Set(try readers.compactMap { try person($0, context) })
      plain.setReaders(item, readers)
    }
  }

  private func relate(
    _ step: GraphStep, _ context: ManagedObjectContext, _ plain: inout PlainGraph
  ) throws {
    guard let who = step.pick(0, plain.people.keys), let object = try person(who, context) else {
      return
    }
    let other = step.numbers[2] % 5 == 0 ? nil : step.pick(1, plain.people.keys)
    let list = step.some(1, plain.books)
    switch step.kind {
    case .spouse:
      object.spouse = try person(other, context)
      plain.marry(who, other)
    case .parent:
      object.parent = try person(other, context)
      plain.people[who]?.parent = other
    case .friends:
      let friends = Set(step.some(1, plain.people.keys))
      object.friends = Set(try friends.compactMap { try person($0, context) })
      plain.befriend(who, friends)
    case .shelf:
      object.shelf = try list.map { try book($0, context) }
      plain.keep(who, list)
    case .reads:
      object.reads = try list.map { try book($0, context) }
      plain.people[who]?.reads = list
    case .owner:
      guard let dog = step.pick(1, plain.dogs.keys),
        let found = try Dog.first(where: \.weight == dog, in: context)
      else { return }
      object.dogs.insert(found)
      plain.dogs[dog] = .some(who)
    default:
      let club = step.numbers[1] % 4
      // because clubs of one name are one for the plain model, and two for the context until a save unites them
      guard club == 0 || plain.people[who]?.club != club else { return }
      object.club =
        club == 0 ? nil : try Club.firstOrCreate(\.name, equalTo: "\(club)", in: context)
      plain.people[who]?.club = club == 0 ? nil : club
      if club > 0 { plain.clubs.insert(club) }
    }
  }

  func person(_ number: Int?, _ context: ManagedObjectContext) throws -> Person? {
    guard let number else { return nil }
    return try Person.first(where: \.age == number, in: context)
  }

  func book(_ number: Int, _ context: ManagedObjectContext) throws -> Book {
    guard let book = try Book.first(where: \.title == "\(number)", in: context) else {
      throw ContextError.unknownEntity("book \(number)", known: [])
    }
    return book
  }
}
