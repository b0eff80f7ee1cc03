// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesStore

/// The reason why an expression has no value. The manager adds the mapping, the object and the property.
struct MappingFailure: Error {
  var kind = MigrationProblem.Kind.mapping
  let sentence: String

  init(_ sentence: String, _ kind: MigrationProblem.Kind = .mapping) {
    (self.sentence, self.kind) = (sentence, kind)
  }
}

/// The place at which a migration is at work, for errors.
struct MigrationPlace {
  var mapping: EntityMapping?
  var property: String?
  var source: ManagedObject?

  /// The error with its place. Errors that have a place, and the cancelling, stay as they are.
  func locate(_ error: any Error) -> any Error {
    if let error = error as? StoreError {
      switch error.code {
      case .cannotMigrate, .cancelled, .full, .io, .busy, .closed, .moved, .corrupt: return error
      default: break
      }
    }
    let problem = describe(error)
    return StoreError(
      .cannotMigrate([problem]), problem.sentence,
      underlying: error is MappingFailure ? nil : error)
  }

  private func describe(_ error: any Error) -> MigrationProblem {
    let failure = error as? MappingFailure
    let name = mapping?.destinationEntityName ?? mapping?.sourceEntityName ?? ""
    let entity = source?.entity.name ?? name
    let key = source.map { [$0.objectID.key.primaryKey] } ?? []
    let subject = source.map { "\($0.objectID)" } ?? entity
    let place = [mapping?.name, property].compactMap(\.self).joined(separator: ".")
    let reason = failure?.sentence ?? "\(error)"
    var problem = MigrationProblem(
      kind(of: error), entity: entity, property: property, count: key.isEmpty ? nil : key.count,
      keys: key, "\(subject) cannot be migrated by the entity mapping \(place): \(reason)")
    problem.mapping = mapping?.name
    return problem
  }

  private func kind(of error: any Error) -> MigrationProblem.Kind {
    if let failure = error as? MappingFailure { return failure.kind }
    if case .constraint? = (error as? StoreError)?.code { return .duplicates }
    if error is SaveConflicts { return .duplicates }
    return error is StoreError || error is ContextError ? .unsupported : .policy
  }
}
