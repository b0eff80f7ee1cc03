// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// A uniqueness constraint that a store has named when it refused rows. It does not name the rows.
struct BrokenConstraint: Hashable, Sendable {
  let entity: String
  let properties: [String]
}

extension BatchImport {
  /// Refuses the rows whose objects have the values of another object in the properties of a constraint: of one in the
  /// store, or of an earlier row.
  mutating func refuseRivals(_ constraint: BrokenConstraint) throws {
    guard let shape = context.model.shape(named: constraint.entity),
      constraint.properties.allSatisfy({ name in
        if case .attribute? = shape[name] { true } else { false }
      })
    else { return }
    var holders: [ObjectKey: (object: ManagedObject, row: Int)] = [:]
    for (object, row) in owners
    where !object.isDeleted && shape.family.contains(object.objectID.key.entity) {
      guard let key = key(of: object, constraint) else { continue }
      let holder = holders[key] ?? (object, row)
      holders[key] = holder
      if holder.object !== object { refuseRival(row, constraint, key) }
    }
    let values = holders.keys.map(\.first)
    for start in stride(from: 0, to: values.count, by: 10_000) {
      let some = Array(values[start..<min(start + 10_000, values.count)])
      var request = FetchRequest(
        constraint.entity,
        where: .comparison(
          FetchPredicate.Comparison(
            .keyPath(constraint.properties[0]), .isIn, .constant(.list(some)))))
      request.includesPendingChanges = false
      for object in try context.fetch(request) where !object.isDeleted {
        guard let key = key(of: object, constraint), let holder = holders[key],
          holder.object !== object
        else { continue }
        refuseRival(holder.row, constraint, key)
      }
    }
  }

  private func key(of object: ManagedObject, _ constraint: BrokenConstraint) -> ObjectKey? {
    let values = constraint.properties.map { object.value(forKey: $0) }
    return values.contains(.null) ? nil : ObjectKey(values)
  }

  private mutating func refuseRival(_ row: Int, _ constraint: BrokenConstraint, _ key: ObjectKey) {
    outcome.needsRepeat = true
    refuse(
      row,
      RowRefusal(
        constraint.properties.joined(separator: ", "),
        "another \(constraint.entity) has \(key.description), and the model allows it once."))
  }
}
