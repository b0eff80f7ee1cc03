// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

// Records that say nothing about their entity: they would become objects without values.
//
// Rules:
// 1. A record with keys of which none fits a property is refused. A record without keys is not.
// 2. A header of which no column fits ends the import.
// 3. A class that is ``Importable`` may read any key, so its records are not refused.
extension BatchImport {
  /// Counts the keys of a record that an earlier attempt has refused.
  mutating func countKeys(_ index: Int) {
    let node = batch.records[index].node
    guard [.object, .row].contains(batch.nodes[node].kind) else { return }
    var fields: [Int32] = []
    fieldFinders[0].append(fieldsOf: node, in: batch, to: &fields, counts: true)
  }

  /// Refuses the record that the plan's finder has read, if no key of it fits.
  mutating func checkKeys(ofPlan index: Int, _ node: Int) throws(RowRefusal) {
    let shape = table.plans[index].shape
    if let (value, key) = fieldFinders[index].misplaced, !isImportable(index) {
      let name = String(decoding: key, as: UTF8.self)
      throw RowRefusal(
        name,
        "\(batch.nodes[value].indefinite) stands where an object with \(shape.members(of: name)) was expected.",
        node: value)
    }
    guard fieldFinders[index].isStranger, !isImportable(index) else { return }
    let keys = batch.record(at: node).pairs.map(\.key)
    let list = listPath(in: .record(batch.record(at: node)))
    let remedy =
      list.map { "The records may be the list in it: JSONForm.at(\($0.debugDescription))." }
      ?? "Name the keys in the mapping with key(_:to:).\(shape.near(keys.first ?? "").hint)"
    throw RowRefusal(
      "", "no key of the record fits \(shape.name): \(keys.shown). \(remedy)", node: node)
  }

  /// Throws if no column fits.
  func checkHeader() throws(ImportError) {
    let plan = table.plans[0]
    guard !batch.columns.isEmpty, !isImportable(0), !fits(batch.columns, plan) else { return }
    let other = [";", ",", "\t", "|"].first { delimiter in
      fits(
        batch.columns.flatMap { $0.split(separator: delimiter).map { String($0).unquoted } }, plan)
    }
    let remedy =
      other.map {
        "Its fields lie between other characters: CSVForm(delimiter: \($0.debugDescription))."
      }
      ?? "Name the columns in the mapping with key(_:to:), or in CSVForm.columns if the input has no header."
      + plan.shape.near(batch.columns[0]).hint
    throw ImportError(
      .request, "No column of the input fits \(plan.shape.name): \(batch.columns.shown). \(remedy)")
  }

  private func fits(_ columns: [String], _ plan: EntityPlan) -> Bool {
    columns.contains { column in
      plan.places[Array(column.utf8)].map { !plan.onlyOuter.contains($0) }
        ?? plan.leftOut.contains(column)
    }
  }

  func isImportable(_ index: Int) -> Bool {
    context.objectType(entity: table.plans[index].shape.number) is any Importable.Type
  }

  /// The keys that lead to a list of records inside a record.
  private func listPath(in value: ImportValue, depth: Int = 0) -> String? {
    guard case .record(let record) = value, depth < 3 else { return nil }
    for (key, value) in record.pairs {
      if case .array(let values) = value, case .record? = values.first { return key }
      if let rest = listPath(in: value, depth: depth + 1) { return "\(key).\(rest)" }
    }
    return nil
  }
}

extension EntityShape {
  /// The properties whose names are near to a key.
  func near(_ key: String) -> NearNames {
    // A composite is no value by itself: its first member is nearest to its name.
    let key = composite(of: key)?.leaves.first?.path.joined(separator: ".") ?? key
    let leaves = attributes.filter { $0.type == .composite }.flatMap(\.leaves)
    return NearNames(
      key, among: properties.map(\.name) + leaves.map { $0.path.joined(separator: ".") })
  }

  /// The names of a composite's members.
  fileprivate func members(of key: String) -> String {
    let names = composite(of: key)?.elements.map(\.name) ?? []
    return (names.count == 1 ? "the key " : "the keys ") + names.shown
  }

  private func composite(of key: String) -> AttributeShape? {
    attributes.first { $0.type == .composite && [$0.name, $0.name.snakeCased].contains(key) }
  }
}

extension [String] {
  /// The first names of a list, for a sentence.
  fileprivate var shown: String {
    prefix(8).joined(separator: ", ") + (count > 8 ? " and \(count - 8) more" : "")
  }
}

extension String {
  fileprivate var unquoted: String { String(filter { $0 != "\"" && $0 != " " }) }
}
