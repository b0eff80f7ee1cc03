// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

struct History {
  init?(on connection: Connection) throws(StoreError) { return nil }
  mutating func forget() {}
  func prepare(_ c: ChangeSet, _ n: Connection, _ p: StorePlan) throws(StoreError) {}
  mutating func record(_ c: ChangeSet, _ n: Connection, _ p: StorePlan) throws(StoreError) {}
}
