// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// Turns the records of one batch into objects of one context.
struct BatchImport {
  let context: ManagedObjectContext
  let table: PlanTable
  let settings: ImportSettings
  /// The records, and behind them the values that transforms have made for relationships.
  private(set) var batch: RecordBatch
  /// By index of the plan.
  var fieldFinders: [FieldFinder]
  /// By number that lookups share.
  var finders: [ObjectFinder]
  /// The indices in ``finders`` of those for an entity, by its number.
  let stores: [Int: [Int]]
  /// By index of the plan: whether its objects have hooks. Nil until the first object.
  var hooks: [Bool?]
  /// By index of the plan, then of the field: whether the attribute has an enum as its type.
  let enums: [[Bool]]
  var outcome = RowsOutcome()
  /// Objects were made or changed for the present row.
  var hasTouched = false
  /// The objects that were made or changed for the present row, if they are to be checked at once.
  var touched: [ManagedObject] = []
  /// The objects that refused rows have made or changed.
  private var spoiled: Set<ManagedObject> = []
  /// The objects that the rows have made or changed, with the index of the row; a save that refuses objects names them.
  private(set) var owners: [(object: ManagedObject, row: Int)] = []
  /// Checks each object at once, and not all of them in the save.
  private let checksEachRow: Bool

  /// The values of the present record's attributes, by index of the field.
  var values: [(Int, CoercedValue)] = []
  /// The nodes that transforms have made of nodes of the records.
  private var transformed: [Int: Int] = [:]
  /// The number of nodes that the records have.
  private let recordNodes: Int

  /// Prepares the import of a batch. `finders` know the objects of earlier batches in the same context.
  init(
    _ batch: RecordBatch, _ table: PlanTable, _ settings: ImportSettings,
    in context: ManagedObjectContext, checksEachRow: Bool, _ finders: [ObjectFinder]? = nil
  ) {
    self.batch = batch
    self.context = context
    self.table = table
    self.settings = settings
    self.checksEachRow = checksEachRow
    recordNodes = batch.nodes.count
    fieldFinders = table.plans.map { FieldFinder($0) }
    var known: [Int: ObjectFinder] = [:]
    for lookup in table.lookups { known[lookup.store] = ObjectFinder(lookup) }
    self.finders = finders ?? (0..<known.count).compactMap { known[$0] }
    stores = Dictionary(grouping: table.lookups) { $0.entity }
      .mapValues { Set($0.map(\.store)).sorted() }
    hooks = Array(repeating: nil, count: table.plans.count)
    enums = table.plans.map { plan in
      plan.fields.map { context.hasCases($0.path, entity: plan.shape.number) }
    }
  }

  private struct Row {
    /// The index in the batch.
    let index: Int
    let node: Int
    /// The index of the first of its fields.
    let fields: Int
    /// The key, if a later row with the same one is refused or left out.
    let key: ObjectKey?
    /// The number of the key; nil if there is none.
    let number: Int?
  }

  /// Imports the records, except some. `seen` are the keys of earlier batches. `broken` are the constraints by which the
  /// store has refused the batch before.
  mutating func run(
    _ range: Range<Int>, except excluded: Set<Int>, seen: Set<ObjectKey>,
    _ broken: Set<BrokenConstraint> = []
  ) throws -> RowsOutcome {
    outcome = RowsOutcome()
    try checkHeader()
    var fields: [Int32] = []
    fields.reserveCapacity(range.count * table.plans[0].fields.count)
    var rows: [Row] = []
    rows.reserveCapacity(range.count)
    if let lookup = table.plans[0].lookup {
      finders[table.lookups[lookup].store].reserve(range.count)
    }
    for index in range {
      if excluded.contains(index) {
        countKeys(index)
      } else if let row = prepare(index, &fields) {
        rows.append(row)
      }
    }
    for index in finders.indices { try finders[index].read(in: context) }
    for row in rows { apply(row, fields, seen) }
    for constraint in broken { try refuseRivals(constraint) }
    outcome.census = fieldFinders.map(\.census)
    return outcome
  }

  // MARK: - Before the objects are read

  /// Finds the fields of a record and the keys of the objects that it needs.
  private mutating func prepare(_ index: Int, _ fields: inout [Int32]) -> Row? {
    let node = batch.records[index].node
    let kind = batch.nodes[node].kind
    guard kind == .object || kind == .row else {
      refuse(index, RowRefusal("", "a record must be an object with keys.", node: node))
      return nil
    }
    if let filter = settings.filter, !filter(batch.record(at: node)) {
      outcome.skipped += 1
      return nil
    }
    let first = fields.count
    fieldFinders[0].append(fieldsOf: node, in: batch, to: &fields, counts: true)
    do throws(RowRefusal) {
      try checkKeys(ofPlan: 0, node)
      var (key, number): (ObjectKey?, Int?)
      if let lookup = table.plans[0].lookup {
        key = try self.key(table.lookups[lookup], fields[first...], node)
        guard let key else {
          let names = table.lookups[lookup].names.joined(separator: ", ")
          throw RowRefusal(
            names,
            "the record has no value for its key; without one no object can be found. Set the request's uniquedBy to other "
              + "attributes, or to [], with which each record makes a new object.")
        }
        number = finders[table.lookups[lookup].store].want(key)
      }
      wantLinks(ofPlan: 0, fields[first...])
      return Row(
        index: index, node: node, fields: first,
        key: settings.duplicates == .lastWins ? nil : key, number: number)
    } catch {
      refuse(index, error)
      return nil
    }
  }

  // MARK: - Transforms

  /// The value of a relationship as the mapping's transform makes it of a node.
  mutating func transformed(_ node: Int, _ field: FieldPlan) throws(RowRefusal) -> Int {
    guard let transform = field.transform else { return node }
    if let known = transformed[node] { return known }
    let value = batch.value(at: node)
    do {
      let made = batch.append(try transform(value))
      transformed[node] = made
      return made
    } catch {
      throw RowRefusal(field.name, error.ownDescription, node: node)
    }
  }

  /// The refusal with the place of the value from which a transform made the refused one.
  func located(_ refusal: RowRefusal, _ node: Int) -> RowRefusal {
    refusal.node.map { $0 >= recordNodes } == true ? refusal.at(node) : refusal
  }

  // MARK: - Rows

  private mutating func apply(_ row: Row, _ fields: [Int32], _ seen: Set<ObjectKey>) {
    if let key = row.key {
      let isFirst = !seen.contains(key) && outcome.keys.insert(key).inserted
      if !isFirst {
        guard settings.duplicates == .refuse else {
          outcome.skipped += 1
          return
        }
        let reason = "an earlier row has the same key, \(key.description)."
        return refuse(row.index, RowRefusal("", reason, node: row.node))
      }
    }
    hasTouched = false
    touched.removeAll(keepingCapacity: true)
    let plan = table.plans[0]
    var known: ManagedObject?
    if let number = row.number, let lookup = plan.lookup {
      known = finders[table.lookups[lookup].store][number]
    }
    do throws(RowRefusal) {
      if let number = row.number, let lookup = plan.lookup {
        try checkIsAlone(number, table.lookups[lookup])
      }
      let nodes = fields[row.fields..<row.fields + plan.fields.count]
      let filled = try fill(known, 0, row.node, nodes, number: row.number)
      if checksEachRow { try checkTouched() }
      for object in touched { owners.append((object, row.index)) }
      count(filled, known)
    } catch {
      if hasTouched { outcome.needsRepeat = true }
      // An object with the values of a refused row tells nothing of this one, which is judged when the rows run again.
      guard !touched.contains(where: spoiled.contains) else { return }
      spoiled.formUnion(touched)
      refuse(row.index, error)
    }
  }

  private mutating func count(_ filled: FilledObject?, _ known: ManagedObject?) {
    if let known, settings.deletesMissing != nil {
      outcome.found.append(known.objectID.key.identity)
    }
    guard let filled else {
      outcome.skipped += 1
      return
    }
    if known == nil {
      outcome.made += 1
    } else if filled.hasChanged {
      outcome.updated += 1
    } else if settings.writesUnchanged, let name = table.plans[0].fields.first?.path[0] {
      filled.object.willChangeValue(forKey: name)
      outcome.updated += 1
    } else {
      outcome.unchanged += 1
    }
  }

  private func checkTouched() throws(RowRefusal) {
    for object in touched where !object.isDeleted {
      // A save calls it before the checks, too, and it may give the object the values that it lacks.
      object.willSave()
      do {
        if object.isInserted {
          try object.validateForInsert()
        } else {
          try object.validateForUpdate()
        }
      } catch let error as ValidationError {
        throw error.failures.refusal ?? RowRefusal("", "\(error)")
      } catch {
        throw RowRefusal("", error.ownDescription)
      }
    }
  }

  mutating func refuse(_ index: Int, _ refusal: RowRefusal) {
    outcome.failures[index] = batch.failure(index, refusal)
  }
}

extension [ValidationError.Failure] {
  /// One refusal with the details of all; nil if there is none.
  fileprivate var refusal: RowRefusal? {
    map { RowRefusal($0.property ?? "", $0.detail) }.joined
  }
}

extension RecordBatch {
  /// A refused record.
  func failure(_ index: Int, _ refusal: RowRefusal) -> ImportFailure {
    let record = records[index]
    let start = refusal.node.map { self.start(of: $0) } ?? record.start
    return ImportFailure(
      row: record.row, place: place(of: start), path: refusal.path, reason: refusal.reason)
  }

  /// The records whose objects a save has refused; nil unless each object belongs to one record alone.
  func failures(
    _ error: ValidationError, _ owners: [(id: ManagedObjectID, row: Int)]
  ) -> [Int: ImportFailure]? {
    var rows: [ManagedObjectID: Int?] = [:]
    for (id, row) in owners {
      rows[id] = rows[id].map { $0 == row ? row : nil } ?? .some(row)
    }
    var refused: [Int: [ValidationError.Failure]] = [:]
    for failure in error.failures {
      guard let row = rows[failure.objectID] ?? nil else { return nil }
      refused[row, default: []].append(failure)
    }
    return refused.compactMapValues(\.refusal).reduce(into: [:]) { all, row in
      all[row.key] = self.failure(row.key, row.value)
    }
  }
}
