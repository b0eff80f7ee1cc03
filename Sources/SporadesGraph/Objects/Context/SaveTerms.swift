// SPDX-License-Identifier: MIT
import SporadesStore

/// How a context saves. A context that saves in place of another takes its terms.
struct SaveTerms {
  /// The name of the context.
  var name: String?
  var author: String?
  var durability = Durability.eventual
  var mergePolicy = MergePolicy.error
}
