// SPDX-License-Identifier: MIT
import Sporades
import SporadesModel
import SporadesPostgreSQL
import SporadesSQLite
import SporadesStore

extension StageGround {
  /// The store on a server. All stages work in one transaction, so that it needs no draft.
  convenience init(_ server: StagedServer) {
    self.init(
      place: server.place, configuration: nil, options: server.options,
      metadata: { () throws(StoreError) in try server.metadata() },
      carriedModel: { try server.carriedModel() },
      change: { (change) throws(StoreError) in
        try server.change(to: change.model, change.options, change.serverCode)
      },
      forecast: { (change) throws(StoreError) in
        try server.forecast(to: change.model, change.options, change.serverCode)
      },
      open: { (model) throws(StoreError) in try server.open(model) },
      estimatedRows: { (_) throws(StoreError) in try server.estimatedRows() },
      checkRequiredValues: { (model) throws(StoreError) in
        try server.checkRequiredValues(model)
      },
      counts: { (parts, model) throws(StoreError) in try server.counts(parts, model) },
      rebuild: { versions, fill in try server.rebuild(versions.old, versions.new, fill) },
      draft: { (_, isNeeded) throws(StoreError) in
        guard try isNeeded(server.metadata()) else { return nil }
        return (StageGround(server), {})
      },
      bytesOfDraft: { nil })
  }
}

extension StageChange {
  fileprivate var serverCode: ServerStageCode {
    let code = ServerStageCode()
    code.objects = self.code
    code.migratesBack = migratesBack
    guard !rowWork.isEmpty else { return code }
    code.reworked = rowWork.map(\.entity)
    code.rework = { [rowWork, model] (rows) throws(StoreError) in
      // Each row is handed to all work for it in turn: a later one sees what an earlier one set.
      let work = rowWork.filter {
        model.shape(named: $0.entity)?.family.contains(rows.entity.number) == true
      }
      try rows.run(work)
    }
    return code
  }
}

extension StagedRows {
  fileprivate func run(_ work: [RowWork]) throws(StoreError) {
    let present = Present()
    let count = old.attributes.count
    let row = MigratedRow(
      entity.name, old: Self.fields(old, from: 0), new: Self.fields(new, from: count)
    ) { (field) throws(MigratedRow.Unreadable) in
      guard let row = present.row else { return .null }
      return field.column < count
        ? row.old(field.column, field.type) : row.new(field.column - count, field.type)
    }
    try forEach { (stored) throws(StoreError) in
      present.row = stored
      row.begin(stored.key)
      try row.run(work)
      return row.changes.map { ($0.name, $0.kept) }
    }
  }

  /// The row at work.
  private final class Present {
    var row: Row?
  }

  private static func fields(_ fields: Fields, from first: Int) -> [String: MigratedRow.Field] {
    fields.attributes.mapValues { attribute in
      MigratedRow.Field(
        column: first + attribute.place, type: attribute.shape.type, isLarge: false,
        isDerived: attribute.shape.description.isDerived)
    }
  }
}
