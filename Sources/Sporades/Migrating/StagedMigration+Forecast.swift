// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite
import SporadesStore

// The work of the stages on a store, found without changing it.
extension StagedMigration {
  /// The first part is foretold in full. Later parts meet a store that does not exist yet, so each of them is one step.
  func forecast() throws(StoreError) -> MigrationForecast {
    let parts = try parts()
    guard let first = parts.first else { return MigrationForecast() }
    var forecast = try forecast(of: first)
    forecast.steps += parts.dropFirst().map { .init(text(of: $0)) }
    if parts.count > 1 {
      forecast.notes.append(
        "The rows and losses are those of the first of \(parts.count) parts of the plan. Each later part works on what "
          + "the earlier ones made.")
    }
    if case .coded(_, .rows) = first, parts.count == 1 { return forecast }
    if case .inferred = first, parts.count == 1 { return forecast }
    guard let bytes = store.bytesOfDraft() else { return forecast }
    forecast.steps.insert(.init("copy the store to a draft beside it"), at: 0)
    forecast.bytes += bytes
    return forecast
  }

  private func forecast(of part: Part) throws(StoreError) -> MigrationForecast {
    switch part {
    case .inferred(let stages): return try inferredForecast(stages, [])
    case .coded(let stage, .rows(let work)):
      var forecast = try inferredForecast([stage], work)
      forecast.steps.append(.init(text(of: part)))
      return forecast
    case .coded(let stage, .custom(let make)):
      let code = make()
      var parts: StageCode = []
      if code.willMigrate != nil { parts.insert(.before) }
      if code.didMigrate != nil { parts.insert(.after) }
      var forecast = try inferredForecast([stage], [], parts)
      forecast.steps.append(.init(text(of: part)))
      return forecast
    case .coded(let stage, .work(let work)):
      var forecast = try work.forecast(in: room(of: stage, on: store))
      forecast.steps = [.init(text(of: part))]
      return forecast
    }
  }

  private func inferredForecast(
    _ stages: [MigrationStage], _ work: [RowWork], _ code: StageCode = []
  ) throws(StoreError) -> MigrationForecast {
    guard let change = try change(through: stages, code, work) else { return MigrationForecast() }
    return try store.forecast(change)
  }

  private func text(of part: Part) -> String {
    switch part {
    case .inferred(let stages):
      return stages.count == 1
        ? "change one version in place" : "change \(stages.count) versions in place"
    case .coded(let stage, let code):
      let name = stage.label.isEmpty ? "a stage" : "the stage \"\(stage.label)\""
      switch code {
      case .custom: return "run the code of \(name) on objects"
      case .rows: return "run the code of \(name) on rows"
      case .work(let work): return work.text(ofStage: name)
      }
    }
  }
}
