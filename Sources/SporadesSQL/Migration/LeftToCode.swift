// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The problems that a program's code may still repair, and the content that it may carry over.
package final class LeftToCode {
  private let succession: RowSuccession
  private let stageCode: StageCode
  /// The names of the entities for which the program has code for rows.
  private let entities: [String]
  /// The numbers of the entities of the newer version whose rows code computes.
  private let reworked: Set<Int>
  /// The numbers of the root entities in whose tables code computes rows.
  package let reworkedRoots: Set<Int>

  /// `entities` are the names of those whose rows code computes, with those of their subentities.
  package init(_ succession: RowSuccession, _ stageCode: StageCode, rowsOf entities: [String]) {
    let shapes = entities.compactMap(succession.new.model.shape(named:))
    self.succession = succession
    self.stageCode = stageCode
    self.entities = entities
    reworked = Set(shapes.flatMap(\.family))
    reworkedRoots = Set(shapes.map(\.rootNumber))
  }

  /// The numbers of the entities whose rows code computes, in their order. Throws if the newer version lacks one that has code.
  package func reworkedEntities() throws(StoreError) -> [Int] {
    let model = succession.new.model
    for name in entities where model.shape(named: name) == nil {
      throw StoreError(
        .unsupported,
        "The migration has work for the rows of \(name), which the newer version of the model lacks. Its entities are "
          + "\(model.shapes.map(\.name).sorted().joined(separator: ", ")). The store is as it was.")
    }
    return reworked.sorted()
  }

  /// Whether code is there to solve a problem, which is checked when the code has run.
  package func includes(_ check: MigrationCheck) -> Bool {
    if stageCode.contains(.before), !check.isOfNewProperty { return true }
    let shape = succession.new.model.shape(named: check.entity)
    let isReworked = shape.map { reworked.contains($0.number) } == true
    switch check.kind {
    case .missingValue: return stageCode.contains(.after) || isReworked
    case .missingLink: return stageCode.contains(.after)
    case .inconvertibleType, .inconvertibleValue: return isReworked
    case .duplicates:
      // Rows of any entity of the table can make way.
      return shape.map { reworkedRoots.contains($0.rootNumber) } == true
    case .tooManyLinks, .unreadableFile, .unsupported, .mapping, .policy, .invalidObject, .loss:
      return false
    }
  }

  /// Whether code sees the content of an entity of the older version before it goes, and may put it elsewhere.
  package func includes(_ loss: MigrationLosses.Loss) -> Bool {
    if stageCode.contains(.before) { return true }
    guard loss.isInRows, let shape = succession.old.model.shape(named: loss.entity) else {
      return false
    }
    return succession.successor(of: shape.number).map(reworked.contains) == true
  }
}
