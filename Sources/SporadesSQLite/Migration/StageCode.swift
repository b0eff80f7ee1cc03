// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL

/// The code of a stage on objects that is still to run, around the inferred changes.
package struct StageCode: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It works on objects of the older version, before anything is checked.
  package static let before = StageCode(rawValue: 1)
  /// It works on objects of the newer version. What may be missing is checked after it.
  package static let after = StageCode(rawValue: 2)
}

// Problems that the code of a plan may still repair, and content that it may carry over.
extension InPlaceMigration {
  /// Whether code is there to solve a problem, which is checked when the code has run.
  func isLeftToCode(_ check: MigrationCheck) -> Bool {
    if stageCode.contains(.before), !check.isOfNewProperty { return true }
    switch check.kind {
    case .missingValue: return stageCode.contains(.after) || hasRowWork(for: check.entity)
    case .missingLink: return stageCode.contains(.after)
    case .inconvertibleType, .inconvertibleValue: return hasRowWork(for: check.entity)
    case .duplicates:
      // Rows of any entity of the table can make way.
      return succession.new.model.shape(named: check.entity)
        .map { reworkedRoots.contains($0.rootNumber) } == true
    case .tooManyLinks, .unreadableFile, .unsupported, .mapping, .policy, .invalidObject, .loss:
      return false
    }
  }

  /// Whether code sees the content of an entity of the older version before it goes, and may put it elsewhere.
  func isLeftToCode(_ loss: MigrationLosses.Loss) -> Bool {
    if stageCode.contains(.before) { return true }
    guard loss.isInRows,
      let shape = succession.old.model.shape(named: loss.entity),
      let successor = succession.successor(of: shape.number)
    else { return false }
    return hasRowWork(for: succession.new.model.shape(numbered: successor).name)
  }

  private func hasRowWork(for entity: String) -> Bool {
    guard let shape = succession.new.model.shape(named: entity) else { return false }
    return rowWork.contains { entities(of: $0).contains(shape.number) }
  }
}
