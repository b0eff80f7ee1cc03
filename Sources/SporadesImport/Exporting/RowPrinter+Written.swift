// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel

// Values that closures of a mapping write, and keys of objects.
extension RowPrinter {
  /// Refuses an object that nothing names, because an import would leave the link out.
  mutating func checkKey(_ object: ManagedObject, _ leaves: [ExportPlan.Leaf]) {
    guard let leaf = leaves.first(where: { value(of: $0, object).isNull }) else { return }
    refuse(
      leaf.title, of: object,
      "it has no value, and links to the object are written by it. Give it one, or name another attribute with "
        + "related(_:by:).")
  }

  /// The value of an attribute, as closures of a mapping make it.
  private func value(of leaf: ExportPlan.Leaf, _ object: ManagedObject) -> Value {
    var value = CoercedValue.null
    unsafe object.withCell(leaf.slot) { cell in
      switch unsafe cell {
      case .null: break
      case .word(let word): value = .word(word)
      case .bytes(let content): value = .bytes(unsafe Array(content))
      }
    }
    return value.value(of: leaf.type, in: RecordBatch())
  }

  /// Writes what the mapping makes of an attribute's value.
  mutating func appendWritten(
    _ leaf: ExportPlan.Leaf, _ wayBack: ExportPlan.WayBack, of object: ManagedObject
  ) {
    let value = value(of: leaf, object)
    appendWritten(value, leaf, wayBack, leaf.title, of: object) { read in
      // The stored bytes of a type of the program need not be equal.
      leaf.type == .transformable || read == [value]
    }
  }

  /// Writes what the mapping makes of the keys of a relationship's objects.
  mutating func appendWritten(
    _ relationship: RelationshipShape, _ leaf: ExportPlan.Leaf, _ wayBack: ExportPlan.WayBack,
    of object: ManagedObject
  ) {
    let targets =
      relationship.isToMany
      ? object.objects(forKey: relationship.name)
      : [object.object(forKey: relationship.name)].compactMap(\.self)
    for target in targets { checkKey(target, [leaf]) }
    let keys = targets.map { value(of: leaf, $0) }
    appendWritten(
      relationship.isToMany ? .list(keys) : keys.first ?? .null, leaf, wayBack, relationship.name,
      of: object
    ) { read in
      let read = read.filter { !$0.isNull }
      return relationship.isOrdered ? read == keys : Set(read) == Set(keys)
    }
  }

  private mutating func appendWritten(
    _ value: Value, _ leaf: ExportPlan.Leaf, _ wayBack: ExportPlan.WayBack, _ title: String,
    of object: ManagedObject, isSame: ([Value]) -> Bool
  ) {
    do {
      let read = try wayBack.transform(append(wayBack.inverse(value), leaf, title, of: object))
      let all = try (read.array ?? [read]).map {
        try leaf.coercion.coerce($0).value(of: leaf.type, in: RecordBatch())
      }
      guard !isSame(all) else { return }
      refuse(
        title, of: object,
        "the closure `writing` is not the way back: the first closure makes another value of what it wrote."
      )
    } catch let error as CoercionRefusal {
      refuse(title, of: object, error.reason)
    } catch {
      refuse(title, of: object, error.ownDescription, .receiver, error)
    }
  }

  /// Writes a value of the program, and returns what an import reads of it.
  private mutating func append(
    _ value: ImportValue, _ leaf: ExportPlan.Leaf, _ title: String, of object: ManagedObject
  ) throws(CoercionRefusal) -> ImportValue {
    let start = bytes.count
    var isDate = false
    if case .value(.date(let date)) = value {
      isDate = true
      append(date: date.timeIntervalSinceReferenceDate, leaf.coercion, title, of: object)
    } else {
      bytes += try value.json
    }
    let content = bytes[start...]
    guard isFlat else { return try Self.read(content) }
    bytes.removeSubrange(start...)
    let read = isDate ? .text(String(decoding: content, as: UTF8.self)) : try Self.read(content)
    if read.isNull { return .null }
    guard let text = read.string ?? read.boolean.map({ "\($0)" }) else {
      throw CoercionRefusal(
        "a field of CSV holds no list and no record. Let the closure `writing` make a text.")
    }
    let field = Array(text.utf8)
    unsafe field.withUnsafeBytes { unsafe appendField($0) }
    return .text(text)
  }

  /// The value that an import reads of JSON.
  private static func read(_ json: ArraySlice<UInt8>) throws(CoercionRefusal) -> ImportValue {
    var reader = JSONReader(ByteSource(Array(json)), .lines, RecordLimits())
    // `try?`, because all that can be wrong are the limits.
    guard let batch = try? reader.next(1), let record = batch.records.first else {
      throw CoercionRefusal(
        "the closure `writing` makes more bytes or levels than an import reads without other limits."
      )
    }
    return batch.value(at: record.node)
  }
}
