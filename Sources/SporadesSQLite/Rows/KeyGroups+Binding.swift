// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL

// Keys as the parameters of a statement for a group of a fixed size.

extension KeyGroups.Group {
  func bind(to statement: Statement) {
    var place: Int32 = 1
    for key in keys {
      statement.bind(key, at: place)
      place += 1
    }
    // The remaining parameters repeat the last key, which does not change the result.
    while place <= Int32(size) {
      statement.bind(keys.last ?? 0, at: place)
      place += 1
    }
  }
}
