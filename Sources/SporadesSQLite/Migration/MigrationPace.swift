// SPDX-License-Identifier: MIT
import SporadesModel

/// Advances the progress of a migration while SQLite runs long statements, and ends a statement if the program cancels.
///
/// The fraction within a table is an estimate: from the table's largest key, and from the steps that a row takes.
final class MigrationPace {
  private let progress: MigrationProgress
  /// The part of the whole work that the tables are.
  private let share: Double
  private let weights: [Double]
  private var table = 0
  private var steps = 0.0

  /// `steps` are the steps that each table takes.
  init(_ progress: MigrationProgress, share: Double, steps: [Double]) {
    self.progress = progress
    self.share = share
    // The change of names alone takes steps, too.
    weights = steps.map { max($0, 1_000) }
  }

  /// The steps for one row with so many columns.
  static func steps(ofRowWith columns: Int) -> Double { 12 + 2 * Double(columns) }

  /// Notes that so many steps were taken. Returns whether the program cancelled.
  func advance(steps taken: Int) -> Bool {
    steps += Double(taken)
    advance(within: table < weights.count ? min(steps, 0.95 * weights[table]) : 0)
    return progress.isCancelled
  }

  /// Notes that a table is done.
  func endTable() {
    table += 1
    steps = 0
    advance(within: 0)
  }

  private func advance(within present: Double) {
    let done = weights.prefix(table).reduce(present, +)
    progress.advance(to: share * done / max(weights.reduce(0, +), 1))
  }
}

/// Advances the progress of a migration while code computes rows, by their keys.
final class RowPace {
  private let progress: MigrationProgress
  private let weights: [Double]
  private let part: (start: Double, end: Double)
  private var entity = 0

  /// `weights` are the largest keys of the entities.
  init(_ progress: MigrationProgress, _ weights: [Double], from start: Double, to end: Double) {
    self.progress = progress
    self.weights = weights
    part = (start, end)
  }

  /// Notes that the rows up to a key are done. Returns whether the program cancelled.
  func advance(toKey key: Int64) -> Bool {
    advance(within: min(Double(key), weights[entity]))
    return progress.isCancelled
  }

  /// Notes that the rows of an entity are done.
  func endEntity() {
    entity += 1
    advance(within: 0)
  }

  private func advance(within present: Double) {
    let done = weights.prefix(entity).reduce(present, +) / max(weights.reduce(0, +), 1)
    progress.advance(to: part.start + (part.end - part.start) * done)
  }
}
