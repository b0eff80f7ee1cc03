// SPDX-License-Identifier: MIT
package import SporadesModel

/// The problems that a program's code may still repair, and the content that it may carry over.
package final class LeftToCode {
  private let succession: RowSuccession
  private let stageCode: StageCode
  /// The numbers of the entities of the newer version whose rows code computes.
  private let reworked: Set<Int>
  /// The numbers of the root entities in whose tables code computes rows.
  package let reworkedRoots: Set<Int>

  /// `entities` are the names of those whose rows code computes, with those of their subentities.
  package init(_ succession: RowSuccession, _ stageCode: StageCode, rowsOf entities: [String]) {
    let shapes = entities.compactMap(succession.new.model.shape(named:))
    self.succession = succession
    self.stageCode = stageCode
    reworked = Set(shapes.flatMap(\.family))
    reworkedRoots = Set(shapes.map(\.rootNumber))
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
