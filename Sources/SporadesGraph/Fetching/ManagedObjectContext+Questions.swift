// SPDX-License-Identifier: MIT
import SporadesChain
package import SporadesModel
package import SporadesStore

// The questions that requests ask the store, for modules that explain the answers.
extension ManagedObjectContext {
  /// The question that a request asks: for objects, ids, a count or dictionaries, as its `resultType` says.
  package func question(of request: FetchRequest) throws -> ExplainedQuestion {
    beginWork()
    defer { endWork() }
    return switch request.resultType {
    case .managedObject where request.readsIDsAlone: .keys(try storeFetch(request))
    case .managedObject: .rows(try storeFetch(request))
    case .managedObjectID: .keys(try storeFetch(request, for: .ids))
    case .count: .table(.count(of: try storeFetch(request, for: .counts)))
    case .dictionary: .table(try question(ofDictionaries: request))
    }
  }

  /// A question about values, if the model has what it asks for.
  package func checked(_ question: TableQuestion) throws -> ExplainedQuestion {
    var question = question
    try question.check(model)
    return .table(question)
  }

  /// Unsaved changes correct the store's answer in memory.
  package func isCorrected(_ question: ExplainedQuestion) -> Bool {
    switch question {
    case .rows(let fetch), .keys(let fetch): PendingChanges(self, concerning: fetch) != nil
    case .table(let table): PendingChanges(self, concerning: table) != nil
    }
  }
}
