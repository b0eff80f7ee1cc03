// SPDX-License-Identifier: MIT

/// A store as dictionaries, which knows nothing of files and tables. Each change of a model is also a change of these
/// rows, with the meaning that the documentation gives it.
struct PlainRows: Equatable {
  enum Cell: Hashable {
    case none
    case truth(Bool)
    case whole(Int64)
    case real(Double)
    case decimal(String)
    case text(String)
    case date(Double)
    case bytes([UInt8])
    case uuid(String)
    case uri(String)
  }

  struct Row: Equatable {
    var entity: String
    /// The values by the paths of their attributes.
    var values: [String: Cell] = [:]
    /// The serial numbers of linked objects by the names of relationships; sorted if they have no order.
    var links: [String: [Int]] = [:]
  }

  /// The rows by their serial numbers.
  var rows: [Int: Row] = [:]

  func numbers(of entities: Set<String>) -> [Int] {
    rows.filter { entities.contains($0.value.entity) }.map(\.key).sorted()
  }

  // MARK: - Values

  mutating func addValue(_ path: String, _ cell: Cell, to entities: Set<String>) {
    for number in numbers(of: entities) { rows[number]?.values[path] = cell }
  }

  mutating func removeValue(_ path: String, from entities: Set<String>) {
    for number in numbers(of: entities) { rows[number]?.values[path] = nil }
  }

  mutating func renameValues(_ names: [String: String], in entities: Set<String>? = nil) {
    for number in entities.map(numbers) ?? Array(rows.keys) {
      let former = rows[number]?.values ?? [:]
      var values: [String: Cell] = [:]
      for (path, cell) in former { values[names[path] ?? path] = cell }
      rows[number]?.values = values
    }
  }

  /// Changes each value of an attribute. Returns the number of values that have no new form, which stay.
  mutating func convert(_ path: String, _ conversion: (Cell) -> Cell?) -> Int {
    var failures = 0
    for (number, row) in rows {
      guard let cell = row.values[path] else { continue }
      if let converted = conversion(cell) {
        rows[number]?.values[path] = converted
      } else {
        failures += 1
      }
    }
    return failures
  }

  /// Whether two rows have the same value, which is not none.
  func hasDuplicates(of path: String, in entities: Set<String>) -> Bool {
    let cells = numbers(of: entities).compactMap { rows[$0]?.values[path] }.filter { $0 != .none }
    return Set(cells).count < cells.count
  }

  // MARK: - Links

  mutating func addLinks(_ name: String, to entities: Set<String>) {
    for number in numbers(of: entities) { rows[number]?.links[name] = [] }
  }

  mutating func removeLinks(_ name: String, from entities: Set<String>) {
    for number in numbers(of: entities) { rows[number]?.links[name] = nil }
  }

  mutating func renameLinks(_ names: [String: String]) {
    for number in rows.keys {
      let former = rows[number]?.links ?? [:]
      var links: [String: [Int]] = [:]
      for (name, members) in former { links[names[name] ?? name] = members }
      rows[number]?.links = links
    }
  }

  mutating func sortLinks(_ name: String) {
    for number in rows.keys { rows[number]?.links[name]?.sort() }
  }

  /// Gives the destinations of a relationship the links back.
  mutating func addInverse(_ inverse: String, of name: String, to destinations: Set<String>) {
    addLinks(inverse, to: destinations)
    for owner in rows.keys.sorted() {
      for member in rows[owner]?.links[name] ?? [] { rows[member]?.links[inverse]?.append(owner) }
    }
  }

  func largestCount(_ name: String) -> Int {
    rows.values.map { $0.links[name]?.count ?? 0 }.max() ?? 0
  }

  /// The largest number of objects that link to one object.
  func largestOwnerCount(_ name: String) -> Int {
    var counts: [Int: Int] = [:]
    for row in rows.values {
      for member in row.links[name] ?? [] { counts[member, default: 0] += 1 }
    }
    return counts.values.max() ?? 0
  }

  /// Removes the links of a relationship to rows of other entities.
  mutating func keepLinks(_ name: String, to entities: Set<String>) {
    let present = Set(numbers(of: entities))
    for number in rows.keys { rows[number]?.links[name]?.removeAll { !present.contains($0) } }
  }

  mutating func removeRows(of entities: Set<String>) {
    let gone = Set(numbers(of: entities))
    for number in gone { rows[number] = nil }
    for number in rows.keys {
      for name in rows[number]?.links.keys.sorted() ?? [] {
        rows[number]?.links[name]?.removeAll { gone.contains($0) }
      }
    }
  }

  mutating func renameEntity(_ old: String, to new: String) {
    for number in numbers(of: [old]) { rows[number]?.entity = new }
  }

  // MARK: - Comparing

  /// What these rows have otherwise than others, each as a sentence.
  func differences(from others: PlainRows) -> [String] {
    Set(rows.keys).union(others.rows.keys).sorted().flatMap { number -> [String] in
      guard let row = rows[number] else { return ["row \(number) is missing"] }
      guard let other = others.rows[number] else { return ["row \(number) is new: \(row)"] }
      var found =
        row.entity == other.entity ? [] : ["row \(number): \(row.entity), not \(other.entity)"]
      for path in Set(row.values.keys).union(other.values.keys).sorted()
      where row.values[path] != other.values[path] {
        found.append(
          "row \(number) of \(row.entity), \(path): \(row.values[path] as Any), not \(other.values[path] as Any)"
        )
      }
      for name in Set(row.links.keys).union(other.links.keys).sorted()
      where row.links[name] != other.links[name] {
        found.append(
          "row \(number) of \(row.entity), \(name): \(row.links[name] as Any), not \(other.links[name] as Any)"
        )
      }
      return found
    }
  }
}
