// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// The way in which a store finds the rows of a fetch, in sentences.
///
/// ```swift
/// print(try context.explain(request))
/// // Finds rows of Player by the index byScore, where score > a value.
/// // Sorts the rows, because no index has their order.
/// ```
public struct FetchPlan: Hashable, Sendable {
  /// One step of the way. A step with a greater depth is a part of the step before it with a smaller one.
  public struct Step: Hashable, Sendable {
    /// The work of the step.
    public let work: Work
    /// The sentence that describes the step.
    public let sentence: String
    /// The number of steps that this step is a part of.
    public let depth: Int
    /// The number of rows that the database expects of the step; nil if it does not tell.
    public let estimatedRows: Int?

    /// Describes a step.
    public init(_ work: Work, _ sentence: String, depth: Int = 0, estimatedRows: Int? = nil) {
      self.work = work
      self.sentence = sentence
      self.depth = depth
      self.estimatedRows = estimatedRows
    }
  }

  /// The kind of a step.
  public enum Work: Hashable, Sendable {
    /// The step finds rows by their key.
    case findByKey
    /// The step finds rows by the index with this name.
    case find(index: String)
    /// The step reads every row of a table.
    case readAll
    /// The step reads every row in the order of the index with this name, and stops at the request's limit.
    case readInOrder(index: String)
    /// The step sorts the rows, because they do not come in their order.
    case sort
    /// The step makes an index that the statement drops at its end, because the file has none.
    case makeIndex
    /// The step joins or nests other steps.
    case combine
  }

  /// The statement that the store runs; nil if it runs none.
  public let statement: String?
  /// The steps, in the order in which the store takes them.
  public let steps: [Step]

  /// Describes the way of a fetch.
  public init(statement: String?, steps: [Step]) {
    self.statement = statement
    self.steps = steps
  }

  /// The names of the indexes that the store uses.
  public var indexes: [String] {
    steps.compactMap { step in
      switch step.work {
      case .find(let index), .readInOrder(let index): index
      case .findByKey, .readAll, .sort, .makeIndex, .combine: nil
      }
    }
  }

  /// An index or the key serves each step that reads rows.
  public var isServedByIndexes: Bool {
    !steps.contains { $0.work == .readAll || $0.work == .makeIndex }
  }
}

extension FetchPlan: CustomStringConvertible {
  public var description: String {
    let lines = steps.map { step in
      String(repeating: "  ", count: step.depth) + step.sentence
        + (step.estimatedRows.map { " It expects \($0) rows." } ?? "")
    }
    return (lines + (statement.map { ["SQL: \($0)"] } ?? [])).joined(separator: "\n")
  }
}

extension FetchPlan {
  /// The plan of a store that looks at each row in memory.
  package init(inMemory question: ExplainedQuestion) {
    let fetch = question.fetch
    var steps = [Step(.readAll, "Looks at every row of \(fetch.entity.name) in memory.")]
    if !fetch.sortTerms.isEmpty { steps.append(Step(.sort, "Sorts the rows in memory.")) }
    if case .table = question { steps.append(Step(.combine, Self.computing)) }
    self.init(statement: nil, steps: steps)
  }

  /// The sentence for values that the database does not compute.
  package static let computing = "Computes the values in memory from the rows."

  /// The plan with a step at its end.
  package func adding(_ step: Step) -> FetchPlan {
    FetchPlan(statement: statement, steps: steps + [step])
  }
}
