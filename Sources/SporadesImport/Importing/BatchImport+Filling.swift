// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// An object that has the values of its record.
struct FilledObject {
  let object: ManagedObject
  let hasChanged: Bool
}

// Values of records in objects.
extension BatchImport {
  /// Gives an object the values of a record; makes the object if there is none. Nil if the object does not take the
  /// record.
  mutating func fill(
    _ known: ManagedObject?, _ index: Int, _ node: Int, _ fields: ArraySlice<Int32>,
    number: Int? = nil
  ) throws(RowRefusal) -> FilledObject? {
    let plan = table.plans[index]
    // All values are read before the first is set, so that most bad rows change nothing.
    try readAttributes(index, fields)
    let object: ManagedObject
    if let known { object = known } else { object = try make(plan.shape) }
    hasTouched = true
    touched.append(object)
    if hooks[index] == nil { hooks[index] = object is any Importable }
    let importable = hooks[index] == true ? object as? any Importable : nil
    let record = importable == nil ? ImportRecord([]) : batch.record(at: node)
    if let importable {
      let takes = try calling { try importable.shouldImport(record) }
      guard takes else {
        if known == nil { context.delete(object) }
        return nil
      }
      try calling { try importable.willImport(record) }
    }
    var hasChanged = try setAttributes(of: object, plan, fields, importable)
    if known == nil { note(object, plan, number) }
    for (place, relationship) in plan.links {
      let node = fields[fields.startIndex + place]
      guard node >= 0 else { continue }
      if let importable, try isTaken(by: importable, plan.fields[place], node) {
        hasChanged = true
        continue
      }
      if try link(object, relationship, plan.fields[place], Int(node)) { hasChanged = true }
    }
    if let importable { try calling { try importable.didImport(record) } }
    return FilledObject(object: object, hasChanged: hasChanged)
  }

  /// Sets the attributes that a hook does not take. Returns whether a value may have changed.
  private mutating func setAttributes(
    of object: ManagedObject, _ plan: EntityPlan, _ fields: ArraySlice<Int32>,
    _ importable: (any Importable)?
  ) throws(RowRefusal) -> Bool {
    var hasChanged = false
    for (place, value) in values {
      let field = plan.fields[place]
      if let importable, try isTaken(by: importable, field, fields[fields.startIndex + place]) {
        hasChanged = true
        continue
      }
      if case .attribute(let attribute) = field.target, set(value, attribute, of: object) {
        hasChanged = true
      }
    }
    return hasChanged
  }

  private mutating func make(_ shape: EntityShape) throws(RowRefusal) -> ManagedObject {
    do throws(ContextError) {
      return try context.insert(entityNamed: shape.name)
    } catch {
      throw RowRefusal("", "\(error)")
    }
  }

  /// Tells the finders of a new object. `number` is that of its key in the plan's own finder.
  private mutating func note(_ object: ManagedObject, _ plan: EntityPlan, _ number: Int?) {
    let own = plan.lookup.map { table.lookups[$0].store }
    for store in stores[plan.shape.number] ?? [] {
      if let number, store == own {
        finders[store].note(object, number: number)
      } else {
        finders[store].note(object)
      }
    }
  }

  // MARK: - Hooks

  private func isTaken(
    by importable: any Importable, _ field: FieldPlan, _ node: Int32
  ) throws(RowRefusal) -> Bool {
    guard node >= 0 else { return false }
    let value = batch.value(at: Int(node))
    return try calling(field.name, Int(node)) {
      try importable.importValue(value, forKey: field.name)
    }
  }

  /// Calls code of the program, whose error refuses the row.
  private func calling<Output>(
    _ name: String = "", _ node: Int? = nil, _ body: () throws -> Output
  ) throws(RowRefusal) -> Output {
    do {
      return try body()
    } catch {
      throw RowRefusal(name, error.ownDescription, node: node)
    }
  }

  // MARK: - Attributes

  /// Reads the values of a record's attributes into ``values``. A refusal names all that are wrong.
  private mutating func readAttributes(
    _ index: Int, _ fields: ArraySlice<Int32>
  ) throws(RowRefusal) {
    let plan = table.plans[index]
    values.removeAll(keepingCapacity: true)
    var refusals: [RowRefusal] = []
    for (place, field) in plan.fields.enumerated() {
      guard case .attribute(let attribute) = field.target else { continue }
      let node = fields[fields.startIndex + place]
      guard node >= 0 else {
        if field.usesDefault { values.append((place, attribute.defaultValue)) }
        continue
      }
      do throws(RowRefusal) {
        try read(attribute, field, Int(node), index, place)
      } catch {
        refusals.append(error)
      }
    }
    if let refusal = refusals.joined { throw refusal }
  }

  private mutating func read(
    _ attribute: AttributePlan, _ field: FieldPlan, _ node: Int, _ index: Int, _ place: Int
  ) throws(RowRefusal) {
    let shape = table.plans[index].shape
    let value = try coerce(node, attribute, field, ofPlan: table.plans[index])
    if case .null = value {
      if settings.keepsNulls { return }
      // The members of a composite may be null together, which the save checks.
      if !attribute.shape.description.isOptional, field.path.count == 1,
        !(hooks[index] ?? isImportable(index))
      {
        let remedy =
          attribute.shape.description.defaultValue.isNull
          ? ""
          : " It gets its default where the key is missing, or where nulls are kept (nulls = .keep)."
        throw RowRefusal(
          field.name, "the value is null, and \(shape.name).\(field.name) must have one.\(remedy)",
          node: node)
      }
    }
    if enums[index][place] { try checkCase(value, attribute, field, shape, node) }
    values.append((place, value))
  }

  /// The value of a node for a field of a plan, in the form of the attribute's cell.
  func coerce(
    _ node: Int, _ attribute: AttributePlan, _ field: FieldPlan, ofPlan plan: EntityPlan
  ) throws(RowRefusal) -> CoercedValue {
    do throws(CoercionRefusal) {
      if let transform = field.transform {
        let value = batch.value(at: node)
        let output = Result { try transform(value) }
        switch output {
        case .success(let value):
          if let bytes = try encode(value, attribute, plan) { return bytes }
          return try attribute.coercion.coerce(value)
        case .failure(let error): throw CoercionRefusal(error.ownDescription)
        }
      }
      let kind = batch.nodes[node].kind
      if kind == .blank, attribute.takesBlank { return .bytes([]) }
      if attribute.shape.type == .transformable, kind == .array || kind == .object,
        let bytes = try encode(batch.value(at: node), attribute, plan)
      {
        return bytes
      }
      return try attribute.coercion.coerce(batch.nodes[node], in: batch)
    } catch {
      throw RowRefusal(field.name, error.reason, node: node)
    }
  }

  /// The bytes that an attribute of a `Codable` type stores for an array or a record; nil for all others.
  private func encode(
    _ value: ImportValue, _ attribute: AttributePlan, _ plan: EntityPlan
  ) throws(CoercionRefusal) -> CoercedValue? {
    guard attribute.shape.type == .transformable, value.array != nil || value.record != nil else {
      return nil
    }
    let json = try value.json
    let stored = Result {
      try context.storedBytes(ofJSON: json, for: attribute.shape, entity: plan.shape.number)
    }
    switch stored {
    case .success(let bytes): return bytes.map { .bytes($0) }
    case .failure(let error): throw CoercionRefusal(error)
    }
  }

  private func checkCase(
    _ value: CoercedValue, _ attribute: AttributePlan, _ field: FieldPlan, _ shape: EntityShape,
    _ node: Int
  ) throws(RowRefusal) {
    let value = value.value(of: attribute.shape.type, in: batch)
    if let reason = context.describeUnknownCase(value, field.path, entity: shape.number) {
      throw RowRefusal(field.name, reason, node: node)
    }
  }

  /// Sets an attribute. Returns whether its value changed.
  private func set(
    _ value: CoercedValue, _ attribute: AttributePlan, of object: ManagedObject
  ) -> Bool {
    let slot = attribute.slot
    switch value {
    case .null: return object.takeNull(in: slot)
    case .word(let word): return object.takeWord(word, in: slot)
    case .bytes(let bytes):
      return unsafe bytes.withUnsafeBytes { unsafe object.takeBytes($0, in: slot) }
    case .place(let start, let count):
      return unsafe batch.bytes.withUnsafeBytes { bytes in
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        return unsafe object.takeBytes(part, in: slot)
      }
    }
  }
}
