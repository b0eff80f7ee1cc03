// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// A change that a step makes in a context, and the same in plain facts.
struct MergeChange {
  private let step: MergeStep
  private let context: ManagedObjectContext
  private let people: [Person]
  private let books: [Book]

  init(_ step: MergeStep, _ context: ManagedObjectContext) throws {
    (self.step, self.context) = (step, context)
    people = try Person.all(sortedBy: \.age, in: context)
    books = try Book.all(sortedBy: \.title, in: context)
  }

  private var who: Person { people[step.numbers[1] % people.count] }
  /// One of the people, or nobody.
  private var other: Person? {
    step.numbers[2] % 4 == 0 ? nil : people[step.numbers[3] % people.count]
  }
  private var book: Book { books[step.numbers[1] % books.count] }

  func make(_ state: inout MergeState) throws {
    let who = who
    switch step.kind {
    case .zip:
      who.home?.zip = step.numbers[2] % 3
      state.set(.zip(who.age), step.numbers[2] % 3)
    case .spouse:
      who.spouse = other
      state.set(.spouse(who.age), other?.age)
    case .badge, .holder: try changeBadge(&state)
    case .parent:
      who.parent = other
      state.set(.parent(who.age), other?.age)
    case .dogs, .owner: try changeDog(&state)
    case .friends: befriend(&state)
    case .shelf, .keeper: changeShelf(&state)
    case .reads, .readers: changeReads(&state)
    case .thereAndBack: try goThereAndBack(&state)
    default: break
    }
  }

  private func changeBadge(_ state: inout MergeState) throws {
    let badges = try Badge.all(sortedBy: \.code, in: context)
    let badge = badges[step.numbers[2] % badges.count]
    if step.kind == .badge {
      let given = step.numbers[3] % 4 == 0 ? nil : badge
      who.badge = given
      state.set(.badge(who.age), given?.code)
    } else {
      badge.holder = other
      state.set(.holder(badge.code), other?.age)
    }
  }

  private func changeDog(_ state: inout MergeState) throws {
    let dogs = try Dog.all(sortedBy: \.weight, in: context)
    let dog = dogs[step.numbers[2] % dogs.count]
    if step.kind == .owner {
      dog.owner = other
      state.set(.owner(dog.weight), other?.age)
    } else {
      who.add(dog, to: "dogs")
      state.set(.owner(dog.weight), who.age)
    }
  }

  private func befriend(_ state: inout MergeState) {
    let friend = people[step.numbers[2] % people.count]
    let link = MergeFacts.Link.friends(min(who.age, friend.age), max(who.age, friend.age))
    if step.numbers[3] % 2 == 0 {
      who.add(friend, to: "friends")
      state.add(link)
    } else {
      who.remove(friend, from: "friends")
      state.remove(link)
    }
  }

  private func changeShelf(_ state: inout MergeState) {
    guard step.kind == .shelf else {
      book.keeper = other
      return state.set(.keeper(number(book)), other?.age)
    }
    let list = list(who.shelf)
    for former in who.shelf where !list.contains(former) { state.set(.keeper(number(former)), nil) }
    who.shelf = list
    for book in list { state.set(.keeper(number(book)), who.age) }
  }

  private func changeReads(_ state: inout MergeState) {
    let who = who
    if step.kind == .readers {
      let link = MergeFacts.Link.reads(who.age, number(books[step.numbers[2] % books.count]))
      let book = books[step.numbers[2] % books.count]
      if step.numbers[3] % 2 == 0 {
        book.add(who, to: "readers")
        state.add(link)
      } else {
        book.remove(who, from: "readers")
        state.remove(link)
      }
      return
    }
    let list = list(who.reads)
    for former in who.reads where !list.contains(former) {
      state.remove(.reads(who.age, number(former)))
    }
    who.reads = list
    for book in list { state.add(.reads(who.age, number(book))) }
  }

  /// Another list: all new, one first, one last, or turned around.
  private func list(_ former: [Book]) -> [Book] {
    let one = books[step.numbers[3] % books.count]
    let others = former.filter { $0 !== one }
    return switch step.numbers[2] % 5 {
    case 0: step.some(3, below: books.count).map { books[$0] }
    case 1: [one] + others
    case 2: others + [one]
    case 3: former.reversed()
    default: others
    }
  }

  /// Changes properties, and sets them back.
  private func goThereAndBack(_ state: inout MergeState) throws {
    let who = who
    let zip = who.home?.zip ?? 0
    who.home?.zip = zip + 1
    who.home?.zip = zip
    let parent = who.parent
    who.parent = parent == nil ? who : nil
    who.parent = parent
    let friend = people[step.numbers[2] % people.count]
    if who.friends.contains(friend) {
      who.friends.remove(friend)
      who.friends.insert(friend)
    } else {
      who.friends.insert(friend)
      who.friends.remove(friend)
    }
    let (shelf, reads) = (who.shelf, who.reads)
    who.shelf = shelf.reversed()
    who.shelf = shelf
    who.reads = reads.reversed()
    who.reads = reads
    _ = state
  }

  private func number(_ book: Book) -> Int { Int(book.title) ?? -1 }
}
