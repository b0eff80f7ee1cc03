// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

// Requests with bounds, and lists that were fetched again: both are compared with the former list as a
// whole.
extension LiveFetch {
  /// The step of a bounded request.
  ///
  /// All objects that are not held come behind those that are. A changed object is therefore certain of
  /// its place if another object that did not change is held behind it.
  func boundedChange(for touched: Touched) throws -> ResultChange? {
    let all = touched.all
    let membership = try FetchMembership(request, in: context)
    try membership.read(all)
    let others = held.filter { !all.contains($0) }
    let last = try others.last.map(membership.place)
    var members = try all.filter(membership.includes).map {
      (object: $0, place: try membership.place(of: $0))
    }
    if !isWhole {
      guard let last else { return try refetch(touched) }
      members.removeAll { membership.precedes(last, $0.place) }
    }
    members.sort { membership.precedes($0.place, $1.place) }
    let rest = Thinned(objects: others, removed: [])
    let inserted = try members.map {
      (object: $0.object, position: try rest.position(of: $0.place, membership))
    }
    var next = ResultList(objects: others, table: SectionTable(undivided: others.count))
    next.apply(
      ResultChange(
        edit: .exchange(removing: [], inserting: inserted), table: next.table,
        steps: ListChanges(from: next.table, to: next.table, []), objects: []))
    if !isWhole, !shown.isFull(with: next.objects.count) { return try refetch(touched) }
    let objects = Array(shown.elements(of: next.objects))
    let table = try table(of: objects)
    hold(next.objects)
    return try replacement(by: objects, table, touched)
  }

  /// Holds the objects, but not many more than are needed.
  private func hold(_ objects: [ManagedObject]) {
    held = objects
    guard let most = shown.trimmed(from: objects.count) else { return }
    held.removeLast(objects.count - most)
    isWhole = false
  }

  /// The step that replaces the whole list.
  func replacement(
    by objects: [ManagedObject], _ table: SectionTable, _ touched: Touched
  ) throws -> ResultChange {
    let comparison = ListComparison(
      old: list, new: ResultList(objects: objects, table: table), touched)
    return ResultChange(
      edit: .replace(objects), table: table,
      steps: ListChanges(from: list.table, to: table, comparison.candidates),
      objects: comparison.objects, reloaded: comparison.reloaded)
  }
}

/// The objects of two lists that may have moved, came or went.
private struct ListComparison {
  private(set) var candidates: [ListChanges.Candidate] = []
  private(set) var objects: [ManagedObject] = []
  private(set) var reloaded: Set<ManagedObjectID> = []
  private let old: ResultList
  private let new: ResultList
  private let touched: Touched

  init(old: ResultList, new: ResultList, _ touched: Touched) {
    self.old = old
    self.new = new
    self.touched = touched
    let least = min(old.objects.count, new.objects.count)
    var start = 0
    while start < least, isSame(start, start) {
      noteShared(start, start)
      start += 1
    }
    var end = 0
    while end < least - start,
      isSame(old.objects.count - 1 - end, new.objects.count - 1 - end)
    {
      noteShared(old.objects.count - 1 - end, new.objects.count - 1 - end)
      end += 1
    }
    noteOthers(start..<old.objects.count - end, start..<new.objects.count - end)
  }

  /// The positions hold the same object, in sections of the same name.
  private func isSame(_ oldPosition: Int, _ newPosition: Int) -> Bool {
    let (former, object) = (old.objects[oldPosition], new.objects[newPosition])
    guard former === object || former.objectID == object.objectID else { return false }
    guard new.table.isDivided else { return true }
    return old.table.sections[old.table.section(at: oldPosition)].name
      == new.table.sections[new.table.section(at: newPosition)].name
  }

  private mutating func noteShared(_ oldPosition: Int, _ newPosition: Int) {
    let object = new.objects[newPosition]
    let isReplaced = old.objects[oldPosition] !== object
    guard isReplaced || touched.isOfUnknownValues || touched.changed.contains(object) else {
      return
    }
    note(object, oldPosition, newPosition, isReplaced)
  }

  private mutating func noteOthers(_ olds: Range<Int>, _ news: Range<Int>) {
    var places: [ManagedObjectID: Int] = [:]
    for position in olds { places[old.objects[position].objectID] = position }
    for position in news {
      let object = new.objects[position]
      let former = places.removeValue(forKey: object.objectID)
      let isReplaced = former.map { old.objects[$0] !== object } ?? false
      note(object, former, position, isReplaced)
    }
    for position in places.values { note(old.objects[position], position, nil, false) }
  }

  private mutating func note(
    _ object: ManagedObject, _ oldPosition: Int?, _ newPosition: Int?, _ isReplaced: Bool
  ) {
    if isReplaced { reloaded.insert(object.objectID) }
    let isChanged = isReplaced || touched.isOfUnknownValues || touched.changed.contains(object)
    candidates.append(.init(old: oldPosition, new: newPosition, isChanged: isChanged))
    objects.append(object)
  }
}
