// SPDX-License-Identifier: MIT

/// Finds the values of a plan's fields in records.
///
/// Records of one input mostly have the same keys in the same order. So the finder remembers the key at each place of
/// the last record, and compares before it looks the key up.
struct FieldFinder {
  /// The node of a field that the record does not have.
  static let absent: Int32 = -1

  private let plan: EntityPlan
  /// The bytes of the remembered keys, one behind the other.
  private var lastBytes: [UInt8] = []
  private var lastKeys: [(start: Int, count: Int, place: Int)] = []
  /// The nodes of the plan's keys in the present record.
  private var nodes: [Int32]
  /// The places of the columns of CSV in the plan's keys.
  private var columns: [Int]?
  /// The keys of the records so far.
  private(set) var census: KeyCensus
  /// The last record has a key of the plan, or one that is left out on purpose.
  private var fits = false
  /// The last record has a key that fits no property.
  private var hasUnknown = false
  private var counts = false

  /// The node of the last record that stands where the members of a composite were expected; nil if there is none.
  private(set) var misplaced: (node: Int, key: [UInt8])?

  /// The last record has keys, and none of them fits.
  var isStranger: Bool { hasUnknown && !fits }

  init(_ plan: EntityPlan) {
    self.plan = plan
    census = KeyCensus(plan)
    nodes = Array(repeating: Self.absent, count: plan.keys.count)
  }

  /// Appends the node of each field's value in an object; ``absent`` for a field that the object does not have.
  /// A record that `counts` enters the census.
  mutating func append(
    fieldsOf object: Int, in batch: RecordBatch, to fields: inout [Int32], counts: Bool = false
  ) {
    for index in nodes.indices { nodes[index] = Self.absent }
    (fits, hasUnknown, self.counts) = (false, false, counts)
    misplaced = nil
    if counts { census.records += 1 }
    if batch.nodes[object].kind == .row {
      findColumns(object, batch)
    } else {
      findKeys(object, batch)
    }
    for (index, field) in plan.fields.enumerated() {
      let node = node(of: field, batch)
      if counts, node >= 0 { census.noteFound(index) }
      fields.append(node)
    }
  }

  /// The place of a key in the plan, or in the census.
  private mutating func place(ofKey key: [UInt8]) -> Int {
    if let place = plan.places[key] { return place }
    return plan.leftOut.contains(String(decoding: key, as: UTF8.self))
      ? KeyCensus.ignored : census.place(of: key)
  }

  /// The place of a column, which holds no record with further keys.
  private mutating func place(ofColumn key: [UInt8]) -> Int {
    let place = place(ofKey: key)
    return plan.onlyOuter.contains(place) ? census.place(of: key) : place
  }

  private mutating func note(_ place: Int) {
    if place >= KeyCensus.ignored {
      fits = true
    } else {
      hasUnknown = true
      if counts { census.count(at: place) }
    }
  }

  private mutating func node(of field: FieldPlan, _ batch: RecordBatch) -> Int32 {
    for source in field.sources {
      var node = nodes[source.key]
      if !source.rest.isEmpty, node >= 0, plan.composites.contains(source.key) {
        switch batch.nodes[Int(node)].kind {
        case .object: break
        // A composite without a value has members without values.
        case .null: return node
        default:
          misplaced = misplaced ?? (Int(node), plan.keys[source.key])
          continue
        }
      }
      for key in source.rest where node >= 0 { node = Self.member(key, of: node, batch) }
      if node >= 0 { return node }
    }
    return Self.absent
  }

  /// The value of a key in an object; ``absent`` if there is none.
  private static func member(_ key: [UInt8], of node: Int32, _ batch: RecordBatch) -> Int32 {
    guard batch.nodes[Int(node)].kind == .object else { return absent }
    let found = batch.members(of: Int(node)).last { batch.content(of: batch.nodes[$0.key]) == key }
    return found.map { Int32($0.value) } ?? absent
  }

  private mutating func findColumns(_ row: Int, _ batch: RecordBatch) {
    let places = columns ?? batch.columns.map { place(ofColumn: Array($0.utf8)) }
    columns = places
    for (column, place) in places.enumerated() {
      note(place)
      if place >= 0 { nodes[place] = Int32(row + 1 + column) }
    }
  }

  private mutating func findKeys(_ object: Int, _ batch: RecordBatch) {
    let places = lastPlaces(object, batch)
    var index = object + 1
    let end = Int(batch.nodes[object].next)
    var position = 0
    while index < end {
      let known = position < places ? lastKeys[position].place : nil
      let place = known ?? place(of: batch.nodes[index], position, batch)
      note(place)
      // A key that occurs twice has its last value.
      if place >= 0 { nodes[place] = Int32(index + 1) }
      index = Int(batch.nodes[index + 1].next)
      position += 1
    }
  }

  /// The number of first keys of an object that are those of the last record.
  private func lastPlaces(_ object: Int, _ batch: RecordBatch) -> Int {
    let count = lastKeys.count
    return unsafe batch.bytes.withUnsafeBufferPointer { bytes in
      unsafe batch.nodes.withUnsafeBufferPointer { nodes in
        unsafe lastBytes.withUnsafeBufferPointer { known in
          unsafe lastKeys.withUnsafeBufferPointer { keys in
            var index = object + 1
            let end = unsafe Int(nodes[object].next)
            for position in 0..<count {
              guard index < end else { return position }
              let (key, last) = unsafe (nodes[index], keys[position])
              guard key.kind == .text, Int(key.count) == last.count else { return position }
              let start = Int(key.start)
              for byte in 0..<last.count
              where unsafe bytes[start + byte] != known[last.start + byte] { return position }
              index = unsafe Int(nodes[index + 1].next)
            }
            return count
          }
        }
      }
    }
  }

  private mutating func place(
    of key: RecordNode, _ position: Int, _ batch: RecordBatch
  ) -> Int {
    let bytes = batch.content(of: key)
    let place = place(ofKey: bytes)
    guard key.kind == .text else { return place }
    let entry = (start: lastBytes.count, count: bytes.count, place: place)
    if position < lastKeys.count {
      // Inputs whose records differ must not make the memory of keys grow.
      guard lastBytes.count < 1 << 16 else {
        lastBytes = []
        lastKeys = []
        return place
      }
      lastKeys[position] = entry
    } else if position == lastKeys.count {
      lastKeys.append(entry)
    } else {
      return place
    }
    lastBytes += bytes
    return place
  }
}
