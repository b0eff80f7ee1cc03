// SPDX-License-Identifier: MIT
public import SporadesStore

/// The capability of a store that tells the way in which it answers. A store without it looks at each row in memory.
public protocol ExplainingStore: PersistentStore {
  /// The way in which the store answers a question in a state of itself. It reads no rows for that.
  func explain(_ question: ExplainedQuestion, in view: StoreView) throws(StoreError) -> FetchPlan
}
