// SPDX-License-Identifier: MIT
import SporadesModel

/// The effect of a step on a result.
enum FollowedEffect {
  case none
  case changed
  /// The rows do not tell the result any more, so the store is asked again.
  case lost

  mutating func formUnion(_ other: FollowedEffect) {
    switch (self, other) {
    case (.lost, _), (_, .none): break
    case (_, .lost): self = .lost
    case (_, .changed): self = .changed
    }
  }
}

/// The keys that came into a result or left it.
struct MemberChanges {
  var joined: [RowKey] = []
  var left: [RowKey] = []
}

/// The known part of a request's result, which changes of rows bring up to date.
///
/// The hub alone uses it once it is installed, while it holds its lock.
protocol FollowedContent: AnyObject {
  /// The keys of the rows of which it consists.
  var keys: [RowKey] { get }
  func apply(
    _ changes: [RowChange], _ members: inout MemberChanges
  ) throws(FetchPredicateError) -> FollowedEffect
  /// Forgets all rows, because the store has none any more.
  func removeAll() -> MemberChanges
}

/// The rows of a request in their order, which changes of rows bring up to date.
///
/// Rules:
/// 1. A row's old place is found by its old values, and its new place by its new ones. No other row is looked at but those
///    that a binary search meets.
/// 2. A request with a limit holds more rows than it shows. All rows that it does not hold come behind its edge. Rows that
///    come before the edge are held, so the result is right as long as enough rows are held.
final class FollowedRows: FollowedContent {
  private(set) var rows: [RowPlace]
  /// The rows by their keys, in an order of values, where a key alone does not tell the place.
  private var places: [RowKey: RowPlace] = [:]
  /// The last place up to which all rows are held; nil if all rows are.
  private var edge: RowPlace?
  private let condition: FollowedCondition

  /// Takes the rows of a fetch with the condition's bound and margin.
  init(_ rows: [RowPlace], _ condition: FollowedCondition) {
    self.rows = rows
    self.condition = condition
    if condition.isSorted {
      places = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }
    if let held = condition.shown.held, rows.count >= held { edge = rows.last }
  }

  /// The rows that the request shows.
  var shown: ArraySlice<RowPlace> { condition.shown.elements(of: rows) }

  var keys: [RowKey] { rows.map(\.key) }

  func removeAll() -> MemberChanges {
    let left = keys
    (rows, places, edge) = ([], [:], nil)
    return MemberChanges(left: left)
  }

  func apply(
    _ changes: [RowChange], _ members: inout MemberChanges
  ) throws(FetchPredicateError) -> FollowedEffect {
    var effect = FollowedEffect.none
    for change in changes { effect.formUnion(try apply(change, &members)) }
    if edge != nil, !condition.shown.isFull(with: rows.count) { return .lost }
    try trim(&members)
    return effect
  }

  private func apply(
    _ change: RowChange, _ members: inout MemberChanges
  ) throws(FetchPredicateError) -> FollowedEffect {
    let old = try place(of: change.key)
    let new = try held(change.row)
    guard let new else {
      guard let old else { return .none }
      remove(at: old)
      members.left.append(change.key)
      return isShown(from: old) ? .changed : .none
    }
    guard let old else {
      let place = try insert(new)
      members.joined.append(change.key)
      return isShown(from: place) ? .changed : .none
    }
    if try stays(new, at: old) {
      rows[old] = new
      if condition.isSorted { places[change.key] = new }
      return old >= condition.shown.offset && isShown(from: old) ? .changed : .none
    }
    remove(at: old)
    let place = try insert(new)
    return isShown(from: min(old, place)) ? .changed : .none
  }

  private func isShown(from place: Int) -> Bool { condition.shown.isShown(from: place) }

  /// The row, if the request accepts it and holds it.
  private func held(_ row: RowPlace?) throws(FetchPredicateError) -> RowPlace? {
    guard let row, try condition.includes(row) else { return nil }
    if let edge, try precedes(edge, row) { return nil }
    return row
  }

  private func precedes(
    _ left: RowPlace, _ right: RowPlace
  ) throws(FetchPredicateError) -> Bool {
    guard condition.isSorted else { return left.key < right.key }
    return condition.precedes(
      (try condition.keys(of: left), left.key), (try condition.keys(of: right), right.key))
  }

  /// The new values of the row at the place leave it between its neighbours.
  private func stays(_ row: RowPlace, at place: Int) throws(FetchPredicateError) -> Bool {
    guard condition.isSorted else { return true }
    if place > 0, try !precedes(rows[place - 1], row) { return false }
    if place + 1 < rows.count, try !precedes(row, rows[place + 1]) { return false }
    return true
  }

  private func place(of key: RowKey) throws(FetchPredicateError) -> Int? {
    if condition.isSorted {
      guard let row = places[key] else { return nil }
      return try firstPlace(notBefore: row)
    }
    let place = (0..<rows.count).division { rows[$0].key < key }
    return place < rows.count && rows[place].key == key ? place : nil
  }

  /// The place of the first row that does not come before a row.
  private func firstPlace(notBefore row: RowPlace) throws(FetchPredicateError) -> Int {
    let keys = try condition.keys(of: row)
    let key = row.key
    return try (0..<rows.count).division { (place) throws(FetchPredicateError) in
      let other = (keys: try condition.keys(of: rows[place]), key: rows[place].key)
      return condition.precedes(other, (keys, key))
    }
  }

  private func remove(at place: Int) {
    let row = rows.remove(at: place)
    if condition.isSorted { places[row.key] = nil }
  }

  private func insert(_ row: RowPlace) throws(FetchPredicateError) -> Int {
    let place = try firstPlace(notBefore: row)
    rows.insert(row, at: place)
    if condition.isSorted { places[row.key] = row }
    return place
  }

  /// Holds not many more rows than are needed.
  private func trim(_ members: inout MemberChanges) throws(FetchPredicateError) {
    guard let most = condition.shown.trimmed(from: rows.count) else { return }
    for row in rows[most...] {
      members.left.append(row.key)
      places[row.key] = nil
    }
    rows.removeLast(rows.count - most)
    edge = rows.last
  }
}

/// The number of rows that a request accepts.
final class FollowedCount: FollowedContent {
  private var members: Set<RowKey>
  private let condition: FollowedCondition

  init(_ keys: [RowKey], _ condition: FollowedCondition) {
    members = Set(keys)
    self.condition = condition
  }

  var keys: [RowKey] { Array(members) }

  /// The number of rows that the request shows.
  var shown: Int { condition.shown.positions(of: members.count).count }

  func removeAll() -> MemberChanges {
    defer { members = [] }
    return MemberChanges(left: keys)
  }

  func apply(
    _ changes: [RowChange], _ moved: inout MemberChanges
  ) throws(FetchPredicateError) -> FollowedEffect {
    let former = shown
    for change in changes {
      if let row = change.row, try condition.includes(row) {
        if members.insert(change.key).inserted { moved.joined.append(change.key) }
      } else if members.remove(change.key) != nil {
        moved.left.append(change.key)
      }
    }
    return shown == former ? .none : .changed
  }
}
