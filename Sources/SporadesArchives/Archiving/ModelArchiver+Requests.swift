// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelArchiver {
  /// Archives a request; nil if a part of it has no known form, which is reported.
  mutating func archive(_ request: FetchRequest, _ entity: String?, _ name: String) -> Reference? {
    guard request.hasUsualOptions,
      request.sortTerms.allSatisfy(\.hasUsualForm),
      let predicate = request.predicate.map({ writer.archive($0) }) ?? .nothing
    else {
      omit(
        .invalidPredicate, entity, name,
        "has a fetch request whose archived form is not known. It is left out.")
      return nil
    }
    let terms = request.sortTerms.map { archive($0) }
    return writer.object(
      ArchivedClass("NSFetchRequest", "NSPersistentStoreRequest"),
      [
        .init("NSEntity", entities[request.entityName] ?? .nothing),
        .init("NSPredicate", predicate),
        .init("NSSortDescriptors", terms.isEmpty ? .nothing : writer.list(terms, .array)),
        .init("NSFetchLimit", .integer(Int64(request.fetchLimit ?? 0))),
        .init("NSFetchOffset", .integer(Int64(request.fetchOffset))),
        .init("NSBatchSize", .integer(Int64(request.fetchBatchSize ?? 0))),
        .init("NSResultType", .integer(Int64(request.resultType.rawValue))),
        .init("NSHasFetchRequestFlags", .boolean(true)),
        .init("NSFetchRequestFlags", .integer(30)),
        .init("NSValuesToFetch", .nothing), .init("NSValuesToGroupBy", .nothing),
        .init("NSHavingPredicate", .nothing),
        .init("NSRelationshipKeyPathsForPrefetching", .nothing),
      ])
  }

  private mutating func archive(_ term: SortTerm) -> Reference {
    let selector =
      term.collation?.comparison.selector
      ?? (term.options == .caseInsensitive ? "caseInsensitiveCompare:" : "compare:")
    return writer.object(
      ArchivedClass("NSSortDescriptor"),
      [
        .init("NSKey", writer.text(term.spelling)),
        .init("NSAscending", .boolean(term.ascending)),
        .init("NSReverseNullOrder", .boolean(false)),
        .init("NSSelector", writer.text(selector)),
      ])
  }
}

extension FetchRequest {
  /// Archives show requests with these options alone. Their limit of 0 is no limit.
  fileprivate var hasUsualOptions: Bool {
    fetchLimit != 0 && includesSubentities && includesPropertyValues && includesPendingChanges
      && returnsObjectsAsFaults
      && !shouldRefreshRefetchedObjects && !returnsDistinctResults
      && relationshipKeyPathsForPrefetching.isEmpty && propertiesToFetch.isEmpty
      && propertiesToGroupBy.isEmpty && havingPredicate == nil
  }
}

extension SortTerm {
  /// Archives show terms of this form alone.
  fileprivate var hasUsualForm: Bool {
    keyPath != nil && nils == nil && collation?.locale == nil
      && (options.isEmpty || options == .caseInsensitive)
  }
}
