// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

extension StoreFetch {
  /// The fetch, each of whose open conditions has the meaning that `body` gives for its present one.
  package func mappingMeanings(
    in model: ManagedObjectModel,
    _ body: (any ConditionMeaning) throws(StoreError) -> any ConditionMeaning
  ) throws(StoreError) -> StoreFetch {
    var mapped = self
    var failure: StoreError?
    do throws(FetchPredicateError) {
      try mapped.check(model)
      mapped.predicate = try mapped.predicate?.mappingConditions {
        (condition, _) throws(FetchPredicateError) in
        var condition = condition
        do throws(StoreError) { condition.meaning = try body(condition.meaning) } catch {
          failure = error
          throw FetchPredicateError(.unsupported, error.detail)
        }
        return condition
      }
    } catch {
      throw failure ?? StoreError(refusing: error)
    }
    return mapped
  }
}
