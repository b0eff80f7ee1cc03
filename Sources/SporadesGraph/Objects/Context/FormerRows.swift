// SPDX-License-Identifier: MIT
import SporadesModel

/// Leads from the ids of a store's older version to the rows of the newer one.
package final class FormerRows: Sendable {
  let scope: StoreScope
  let successors: RowSuccessors

  init(of scope: StoreScope, _ successors: RowSuccessors) {
    self.scope = scope
    self.successors = successors
  }
}
