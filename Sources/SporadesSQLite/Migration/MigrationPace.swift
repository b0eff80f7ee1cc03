// SPDX-License-Identifier: MIT
import SporadesModel

/// Advances the progress of a migration while SQLite runs long statements, and ends a statement if the program cancels.
///
/// The fraction within a table is an estimate: from the table's largest key, and from the steps that a row takes.
final class MigrationPace {
  private var tables: WeightedProgress
  private var steps = 0.0

  /// `share` is the part of the whole work that the tables are, and `steps` are the steps that each table takes.
  init(_ progress: MigrationProgress, share: Double, steps: [Double]) {
    // The change of names alone takes steps, too.
    tables = WeightedProgress(progress, steps.map { max($0, 1_000) }, from: 0, to: share)
  }

  /// The steps for one row with so many columns.
  static func steps(ofRowWith columns: Int) -> Double { 12 + 2 * Double(columns) }

  /// Notes that so many steps were taken. Returns whether the program cancelled.
  func advance(steps taken: Int) -> Bool {
    steps += Double(taken)
    return tables.advance(within: min(steps, 0.95 * tables.weight))
  }

  /// Notes that a table is done.
  func endTable() {
    steps = 0
    tables.endItem()
  }
}

/// Advances the progress of a migration while code computes rows, by their keys.
final class RowPace {
  private var entities: WeightedProgress

  /// `weights` are the largest keys of the entities.
  init(_ progress: MigrationProgress, _ weights: [Double], from start: Double, to end: Double) {
    entities = WeightedProgress(progress, weights, from: start, to: end)
  }

  /// Notes that the rows up to a key are done. Returns whether the program cancelled.
  func advance(toKey key: Int64) -> Bool {
    entities.advance(within: min(Double(key), entities.weight))
  }

  /// Notes that the rows of an entity are done.
  func endEntity() { entities.endItem() }
}

/// Items of different weights, which are one part of a migration and are done one after the other.
private struct WeightedProgress {
  private let progress: MigrationProgress
  private let weights: [Double]
  private let part: (start: Double, end: Double)
  private var item = 0

  init(_ progress: MigrationProgress, _ weights: [Double], from start: Double, to end: Double) {
    self.progress = progress
    self.weights = weights
    part = (start, end)
  }

  /// The weight of the present item; zero when all are done.
  var weight: Double { item < weights.count ? weights[item] : 0 }

  /// Notes how much of the present item is done. Returns whether the program cancelled.
  @discardableResult
  func advance(within present: Double) -> Bool {
    let done = weights.prefix(item).reduce(present, +) / max(weights.reduce(0, +), 1)
    progress.advance(to: part.start + (part.end - part.start) * done)
    return progress.isCancelled
  }

  mutating func endItem() {
    item += 1
    advance(within: 0)
  }
}
