// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesMoving
import SporadesSQL
import SporadesStore

// What a server cannot keep is found by the code that refuses it when it is sent.
extension PostgreSQLStore: LimitedStore {
  public func findUnkeepable(
    in page: RowPage, _ body: (_ index: Int, _ property: String, _ reason: String) -> Void
  ) {
    var values: [ServerValue] = []
    for index in 0..<page.count {
      for column in plan.entity(page.key(index).entity).inserted {
        do throws(StoreError) { try column.append(page, index, plan, to: &values) } catch {
          body(index, page.layout.slots[column.transfer.slot].name, error.detail)
        }
        values.removeAll(keepingCapacity: true)
      }
    }
  }
}
