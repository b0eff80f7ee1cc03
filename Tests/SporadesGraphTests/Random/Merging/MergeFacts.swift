// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// What a context shows of people, badges, dogs and books: values and links by number.
struct MergeFacts: Equatable {
  /// A property that lies in a row. Both sides of a one-to-one relationship do.
  enum Slot: Hashable, Comparable {
    case zip(Int)
    case spouse(Int)
    case badge(Int)
    case holder(Int)
    case parent(Int)
    case owner(Int)
    case keeper(Int)
  }

  /// A link that lies in no row. Friends are in the order of their numbers.
  enum Link: Hashable, Comparable {
    case friends(Int, Int)
    case reads(Int, Int)
  }

  var slots: [Slot: Int] = [:]
  var links: Set<Link> = []
}

extension MergeFacts.Slot {
  /// The slot of the one-to-one partner with the number that leads back; nil for other relationships.
  func back(from partner: Int) -> Self? {
    switch self {
    case .spouse: .spouse(partner)
    case .badge: .holder(partner)
    case .holder: .badge(partner)
    case .zip, .parent, .owner, .keeper: nil
    }
  }

  var number: Int {
    switch self {
    case .zip(let number), .spouse(let number), .badge(let number), .holder(let number),
      .parent(let number), .owner(let number), .keeper(let number):
      number
    }
  }
}

/// A context's changes on top of what its parent shows.
struct MergeState: Equatable {
  var base = MergeFacts()
  /// The changed slots; a value of nil is null.
  private(set) var own: [MergeFacts.Slot: Int?] = [:]
  private(set) var added: Set<MergeFacts.Link> = []
  private(set) var removed: Set<MergeFacts.Link> = []

  var shown: MergeFacts {
    var facts = base
    for (slot, value) in own { facts.slots[slot] = value }
    facts.links.subtract(removed)
    facts.links.formUnion(added)
    return facts
  }

  private func value(_ slot: MergeFacts.Slot) -> Int? {
    if let own = own[slot] { own } else { base.slots[slot] }
  }

  // MARK: - Changes

  /// Sets one slot. A slot that has its former value again is not changed.
  private mutating func write(_ slot: MergeFacts.Slot, _ value: Int?) {
    own[slot] = base.slots[slot] == value ? nil : .some(value)
  }

  /// Sets a property. Both sides of a one-to-one relationship change, and the former partners lose it.
  mutating func set(_ slot: MergeFacts.Slot, _ value: Int?) {
    guard self.value(slot) != value else { return }
    if let former = self.value(slot), let back = slot.back(from: former) { write(back, nil) }
    if let value, let back = slot.back(from: value) {
      if let rival = self.value(back), let left = back.back(from: rival) { write(left, nil) }
      write(slot, value)
      write(back, slot.number)
    } else {
      write(slot, value)
    }
  }

  mutating func add(_ link: MergeFacts.Link) {
    guard !shown.links.contains(link) else { return }
    if removed.remove(link) == nil { added.insert(link) }
  }

  mutating func remove(_ link: MergeFacts.Link) {
    guard shown.links.contains(link) else { return }
    if added.remove(link) == nil { removed.insert(link) }
  }

  // MARK: - Others

  /// Puts the changes on top of what the parent shows now. The own values win, and a partner that
  /// others gave an object that leads elsewhere here loses it.
  mutating func merge(_ facts: MergeFacts) {
    base = facts
    own = own.filter { facts.slots[$0.key] != $0.value }
    for (slot, value) in own {
      guard let saved = facts.slots[slot], saved != value, let back = slot.back(from: saved),
        self.value(back) == slot.number
      else { continue }
      write(back, nil)
    }
    added.subtract(facts.links)
    removed.formIntersection(facts.links)
  }

  /// Takes over what a child saves.
  mutating func take(_ child: MergeState) {
    for (slot, value) in child.own { write(slot, value) }
    for link in child.added { add(link) }
    for link in child.removed { remove(link) }
  }

  mutating func discard() { (own, added, removed) = ([:], [], []) }
}

extension MergeFacts {
  /// What a context shows. Relationships are read from both their sides; sides that differ are
  /// failures.
  init(_ context: ManagedObjectContext, _ failures: inout [String]) throws {
    let people = try Person.all(sortedBy: \.age, in: context)
    for person in people {
      slots[.zip(person.age)] = person.home?.zip
      slots[.spouse(person.age)] = person.spouse?.age
      slots[.badge(person.age)] = person.badge?.code
      slots[.parent(person.age)] = person.parent?.age
      for friend in person.friends {
        links.insert(.friends(min(person.age, friend.age), max(person.age, friend.age)))
        if !friend.friends.contains(person) { failures.append("friends of \(person.age)") }
      }
      for book in person.reads { links.insert(.reads(person.age, Int(book.title) ?? -1)) }
      if let spouse = person.spouse, spouse.spouse !== person {
        failures.append("the spouse of \(person.age) has another one")
      }
      if let badge = person.badge, badge.holder !== person {
        failures.append("the badge of \(person.age) has another holder")
      }
    }
    for badge in try Badge.all(in: context) {
      slots[.holder(badge.code)] = badge.holder?.age
      if let holder = badge.holder, holder.badge !== badge {
        failures.append("the holder of \(badge.code) has another badge")
      }
    }
    for dog in try Dog.all(in: context) { slots[.owner(dog.weight)] = dog.owner?.age }
    let books = try Book.all(in: context)
    for book in books {
      slots[.keeper(Int(book.title) ?? -1)] = book.keeper?.age
      for reader in book.readers where !reader.reads.contains(book) {
        failures.append("\(reader.age) does not read \(book.title)")
      }
    }
    for person in people {
      let members: [(String, Set<Int>, Set<Int>)] = [
        (
          "children", Set(person.children.map(\.age)),
          Set(people.filter { $0.parent === person }.map(\.age))
        ),
        (
          "dogs", Set(person.dogs.map(\.weight)),
          Set(try Dog.all(in: context).filter { $0.owner === person }.map(\.weight))
        ),
        (
          "shelf", Set(person.shelf.compactMap { Int($0.title) }),
          Set(books.filter { $0.keeper === person }.compactMap { Int($0.title) })
        ),
        (
          "reads", Set(person.reads.compactMap { Int($0.title) }),
          Set(books.filter { $0.readers.contains(person) }.compactMap { Int($0.title) })
        ),
      ]
      for (name, one, other) in members where one != other {
        failures.append("\(name) of \(person.age): \(one.sorted()) and \(other.sorted())")
      }
      if [person.shelf, person.reads].contains(where: { $0.count != Set($0).count }) {
        failures.append("a book is in a list of \(person.age) twice")
      }
    }
  }
}
