// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// People, dogs and books as dictionaries by number: what the objects of a context must look like.
struct PlainGraph: Equatable {
  struct Human: Equatable {
    var name = ""
    /// Nil for a person who never got a home.
    var zip: Int?
    var spouse: Int?
    var parent: Int?
    var friends: Set<Int> = []
    var shelf: [Int] = []
    var reads: [Int] = []
    var club: Int?
  }

  var people: [Int: Human] = [:]
  /// The owner of each dog.
  var dogs: [Int: Int?] = [:]
  var books: Set<Int> = []
  /// Clubs are told apart by their unique names alone.
  var clubs: Set<Int> = []

  func dogs(of person: Int) -> [Int] { dogs.filter { $0.value == person }.map(\.key) }
  func children(of person: Int) -> [Int] { people.filter { $0.value.parent == person }.map(\.key) }
  func keeper(of book: Int) -> Int? { people.first { $0.value.shelf.contains(book) }?.key }

  // MARK: - Changes

  mutating func marry(_ person: Int, _ partner: Int?) {
    if let former = people[person]?.spouse { people[former]?.spouse = nil }
    if let partner, let former = people[partner]?.spouse { people[former]?.spouse = nil }
    people[person]?.spouse = partner
    if let partner { people[partner]?.spouse = person }
  }

  mutating func befriend(_ person: Int, _ friends: Set<Int>) {
    for other in people.keys { people[other]?.friends.remove(person) }
    people[person]?.friends = friends
    for friend in friends { people[friend]?.friends.insert(person) }
  }

  mutating func keep(_ person: Int, _ shelf: [Int]) {
    for book in shelf { for other in people.keys where other != person { unkeep(book, other) } }
    people[person]?.shelf = shelf
  }

  mutating func unkeep(_ book: Int, _ person: Int) {
    people[person]?.shelf.removeAll { $0 == book }
  }

  mutating func setKeeper(_ book: Int, _ person: Int?) {
    guard keeper(of: book) != person else { return }
    for other in people.keys { unkeep(book, other) }
    if let person { people[person]?.shelf.append(book) }
  }

  mutating func setReaders(_ book: Int, _ readers: Set<Int>) {
    for person in people.keys {
      if !readers.contains(person) {
        people[person]?.reads.removeAll { $0 == book }
      } else if people[person]?.reads.contains(book) == false {
        people[person]?.reads.append(book)
      }
    }
  }

  mutating func delete(person: Int) {
    guard people.removeValue(forKey: person) != nil else { return }
    for dog in dogs(of: person) { dogs[dog] = nil }
    for child in children(of: person) { delete(person: child) }
    for other in people.keys {
      if people[other]?.spouse == person { people[other]?.spouse = nil }
      people[other]?.friends.remove(person)
    }
  }

  mutating func delete(book: Int) {
    books.remove(book)
    for person in people.keys {
      people[person]?.shelf.removeAll { $0 == book }
      people[person]?.reads.removeAll { $0 == book }
    }
  }
}

extension PlainGraph {
  /// What the objects of a context look like; relationships are read from both their sides.
  init(_ context: ManagedObjectContext, _ failures: inout [String]) throws {
    for person in try Person.all(in: context) {
      people[person.age] = Human(
        name: person.name, zip: person.home?.zip, spouse: person.spouse?.age,
        parent: person.parent?.age, friends: Set(person.friends.map(\.age)),
        shelf: person.shelf.map { Int($0.title) ?? -1 },
        reads: person.reads.map { Int($0.title) ?? -1 }, club: person.club.flatMap { Int($0.name) })
      if let club = person.club, !club.members.contains(person) {
        failures.append("club of \(person.age)")
      }
      if let spouse = person.spouse, spouse.spouse !== person { failures.append("spouse") }
    }
    for dog in try Dog.all(in: context) { dogs[dog.weight] = .some(dog.owner?.age) }
    for book in try Book.all(in: context) {
      let number = Int(book.title) ?? -1
      books.insert(number)
      let readers = people.filter { $0.value.reads.contains(number) }.map(\.key)
      if Set(readers) != Set(book.readers.map(\.age)) { failures.append("readers of \(number)") }
      if keeper(of: number) != book.keeper?.age { failures.append("keeper of \(number)") }
    }
    for club in try Club.all(in: context) {
      clubs.insert(Int(club.name) ?? -1)
      if club.members.contains(where: { $0.club !== club }) { failures.append("a club's members") }
    }
    for person in try Person.all(in: context) {
      if Set(person.dogs.map(\.weight)) != Set(dogs(of: person.age)) {
        failures.append("dogs of \(person.age)")
      }
      if Set(person.children.map(\.age)) != Set(children(of: person.age)) {
        failures.append("children of \(person.age)")
      }
    }
  }
}
