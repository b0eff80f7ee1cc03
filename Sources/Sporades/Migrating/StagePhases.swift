// SPDX-License-Identifier: MIT
import SporadesModel

/// The parts of a stage's progress: its code before the changes, the changes, and its code after them.
struct StagePhases {
  let before: MigrationProgress
  let changes: MigrationProgress
  let after: MigrationProgress

  private static let endOfCodeBefore = 0.4
  private static let startOfCodeAfter = 0.6

  init(_ code: MigrationStage.ContextCode, _ whole: MigrationProgress) {
    let first = code.willMigrate == nil ? 0 : Self.endOfCodeBefore
    let last = code.didMigrate == nil ? 1 : Self.startOfCodeAfter
    before = MigrationProgress(of: 0...first, in: whole)
    changes = MigrationProgress(of: first...last, in: whole)
    after = MigrationProgress(of: last...1, in: whole)
  }

  /// How far code on objects is, by the rows it has read. Nobody knows how many it will read, so the fraction grows more and more
  /// slowly: two thirds when it has read as many as there are.
  static func fraction(_ read: Int, of rows: Int) -> Double {
    let share = Double(read) / Double(max(rows, 1))
    return share / (share + 0.5)
  }
}
