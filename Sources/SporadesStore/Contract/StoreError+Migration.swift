// SPDX-License-Identifier: MIT
package import SporadesModel

// The refusal of a migration.
extension StoreError {
  /// The error of a store that stays as it was, with the first problems.
  package init(cannotMigrate problems: [MigrationProblem], _ remark: String? = nil) {
    let first = problems.prefix(5).map(\.description).joined(separator: " ")
    let more = problems.count > 5 ? " Further problems: \(problems.count - 5)." : ""
    self.init(
      .cannotMigrate(problems),
      "The store cannot be changed to the program's model. \(first)\(more)\(remark.map { " \($0)" } ?? "")"
    )
  }
}
