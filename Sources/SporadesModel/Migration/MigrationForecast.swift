// SPDX-License-Identifier: MIT

/// The changes that a migration will make to a store, found without changing it.
public struct MigrationForecast: Hashable, Sendable, CustomStringConvertible {
  /// A part of the work.
  public struct Step: Hashable, Sendable {
    /// The table that the step changes; nil if it changes several.
    public let table: String?
    /// The number of rows that the step writes; 0 for one that changes the schema alone.
    public let rows: Int
    /// The step in words: `add the column ZAGE to ZPET`.
    public let text: String

    /// Describes a step.
    public init(table: String? = nil, rows: Int = 0, _ text: String) {
      (self.table, self.rows, self.text) = (table, rows, text)
    }
  }

  /// Content of the store that the newer model has no place for.
  public struct Loss: Hashable, Sendable {
    /// The entity in the older version.
    public let entity: String
    /// The property in the older version; nil for whole objects.
    public let property: String?
    /// The number of values, links or objects.
    public let count: Int

    /// Describes a loss.
    public init(entity: String, property: String? = nil, count: Int) {
      (self.entity, self.property, self.count) = (entity, property, count)
    }
  }

  /// The work in its order; empty if the store has the model already.
  public var steps: [Step]
  /// An estimate of the bytes that are written: the size of the tables whose rows are written, with their indexes, as
  /// they are now. A plan with code adds the size of the file, because it works on a copy. Files of large values do not
  /// count. SQLite's log needs about as much room until the migration ends.
  public var bytes: Int
  /// The content that is lost.
  public var losses: [Loss]
  /// Content that has no place in the newer version and passes through code of the plan first. The
  /// code may put it elsewhere. The content that the code leaves is lost.
  public var lossesLeftToCode: [Loss] = []
  /// Facts for the program, such as objects that a save will refuse until a new rule is met.
  public var notes: [String]
  /// The reasons why the migration is impossible; empty if it is possible. Problems that
  /// code of the plan may repair are not among them.
  public var problems: [MigrationProblem]
  /// The problems that code of the plan may repair before they are checked. A store that still has one of them then is
  /// refused, and stays as it was.
  public var problemsLeftToCode: [MigrationProblem] = []

  /// Describes the work of a migration.
  public init(
    steps: [Step] = [], bytes: Int = 0, losses: [Loss] = [], notes: [String] = [],
    problems: [MigrationProblem] = []
  ) {
    self.steps = steps
    self.bytes = bytes
    self.losses = losses
    self.notes = notes
    self.problems = problems
  }

  /// The number of rows that the migration writes.
  public var rows: Int { steps.reduce(0) { $0 + $1.rows } }

  public var description: String {
    let work = steps.map { $0.rows == 0 ? $0.text : "\($0.text) (\($0.rows) rows)" }
    let lost = losses.map { "\($0.name): \($0.count) \($0.count == 1 ? "is" : "are") lost" }
    let handed = lossesLeftToCode.map { "\($0.name): \($0.count)" }
    let lines =
      problems.map(\.description) + work + lost
      + Self.section("The code of the plan has to repair:", problemsLeftToCode.map(\.description))
      + Self.section("The code of the plan may carry over, and the rest is lost:", handed) + notes
    return lines.isEmpty ? "nothing to do" : lines.joined(separator: "\n")
  }

  private static func section(_ heading: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [heading] + lines.map { "  " + $0 }
  }
}

extension MigrationForecast.Loss {
  fileprivate var name: String { [entity, property].compactMap(\.self).joined(separator: ".") }
}
