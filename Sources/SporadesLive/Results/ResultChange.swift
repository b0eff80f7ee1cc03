// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// Objects in the order of a fetch, and their sections.
struct ResultList {
  var objects: [ManagedObject] = []
  var table = SectionTable(undivided: 0)
}

/// A planned step from one list of results to the next, before it is taken.
struct ResultChange {
  /// How the next list is made of the former one.
  enum Edit {
    case replace([ManagedObject])
    /// Removes the objects at the positions, which ascend. Then each new object goes before the object
    /// that has the position by then.
    case exchange(removing: [Int], inserting: [(object: ManagedObject, position: Int)])
  }

  let edit: Edit
  let table: SectionTable
  let steps: ListChanges
  /// The objects of the steps' candidates.
  let objects: [ManagedObject]
  /// The ids of objects for which the context has new instances.
  var reloaded: Set<ManagedObjectID> = []
}

extension ResultList {
  mutating func apply(_ change: ResultChange) {
    table = change.table
    switch change.edit {
    case .replace(let new): objects = new
    case .exchange(let removed, let inserted):
      removed.count + inserted.count <= 8
        ? exchangeFew(removed, inserted) : exchangeMany(removed, inserted)
    }
  }

  private mutating func exchangeFew(
    _ removed: [Int], _ inserted: [(object: ManagedObject, position: Int)]
  ) {
    for position in removed.reversed() { objects.remove(at: position) }
    for new in inserted.reversed() { objects.insert(new.object, at: new.position) }
  }

  private mutating func exchangeMany(
    _ removed: [Int], _ inserted: [(object: ManagedObject, position: Int)]
  ) {
    var result: [ManagedObject] = []
    result.reserveCapacity(objects.count - removed.count + inserted.count)
    var (leaving, coming) = (removed[...], inserted[...])
    var left = 0
    for (position, object) in objects.enumerated() {
      if leaving.first == position {
        leaving = leaving.dropFirst()
        continue
      }
      while let next = coming.first, next.position == left {
        result.append(next.object)
        coming = coming.dropFirst()
      }
      result.append(object)
      left += 1
    }
    result += coming.map(\.object)
    objects = result
  }
}

/// A list without the elements at some positions, which stay where they are.
struct Thinned {
  let objects: [ManagedObject]
  /// The positions of the elements that are left out, ascending.
  let removed: [Int]

  var count: Int { objects.count - removed.count }

  subscript(index: Int) -> ManagedObject {
    objects[index + (0..<removed.count).division { removed[$0] - $0 <= index }]
  }

  /// The number of elements that come before the place.
  func position(
    of place: FetchMembership.Place, _ membership: FetchMembership
  ) throws -> Int {
    try (0..<count).division { membership.precedes(try membership.place(of: self[$0]), place) }
  }
}
