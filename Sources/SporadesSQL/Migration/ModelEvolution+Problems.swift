// SPDX-License-Identifier: MIT
package import SporadesModel

// The reasons against a migration that two versions of a model give without a look at the rows.

extension ModelEvolution {
  /// Parts that could continue several others. An inherited property is in doubt once.
  package var problems: [MigrationProblem] {
    var known: Set<[[String]]> = []
    return doubts.filter { doubt in
      doubt.entity == nil || known.insert([doubt.old, doubt.new]).inserted
    }.map { doubt in
      MigrationProblem(
        .unsupported, entity: doubt.entity ?? doubt.new[0],
        property: doubt.entity == nil ? nil : doubt.new[0], doubt.sentence)
    }
  }
}
