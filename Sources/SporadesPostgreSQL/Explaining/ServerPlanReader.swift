// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesPlans
import SporadesStore

/// Puts PostgreSQL's plan of a statement into words.
///
/// The server describes a tree of nodes, each of which takes the rows of those below it. Its documentation names them
/// (https://www.postgresql.org/docs/current/using-explain.html). A node of another kind is quoted as it is.
struct ServerPlanReader {
  private let names: PlanNames
  /// Tables that statements call by other names than the database.
  private let known: [String: PlanNames.Source]
  private let statement: String
  private var steps: [FetchPlan.Step] = []

  /// The steps of the plan that a text in JSON describes.
  static func steps(
    _ json: String, _ names: PlanNames, _ known: [String: PlanNames.Source], _ statement: String
  ) throws(StoreError) -> [FetchPlan.Step] {
    var reader = ServerPlanReader(names: names, known: known, statement: statement)
    do {
      for plan in try JSONDecoder().decode([Explained].self, from: Data(json.utf8)) {
        reader.add(plan.root, 0)
      }
    } catch {
      throw StoreError(
        .unsupported,
        "The server's plan of a statement is not in a form that Sporades reads. Ask for it with psql.",
        underlying: error)
    }
    return reader.steps
  }

  private struct Explained: Decodable {
    let root: Node

    enum CodingKeys: String, CodingKey {
      case root = "Plan"
    }
  }

  /// A node of the plan. The names are the server's.
  private struct Node: Decodable {
    let kind: String
    let relation: String?
    let index: String?
    let condition: String?
    let filter: String?
    let rows: Double
    let strategy: String?
    let relationship: String?
    let plans: [Node]?

    enum CodingKeys: String, CodingKey {
      case kind = "Node Type"
      case relation = "Relation Name"
      case index = "Index Name"
      case condition = "Index Cond"
      case filter = "Filter"
      case rows = "Plan Rows"
      case strategy = "Strategy"
      case relationship = "Parent Relationship"
      case plans = "Plans"
    }

    /// The nodes whose rows this one takes, without those that conditions ask.
    var inputs: [Node] { (plans ?? []).filter { !$0.isOfCondition } }
    var isOfCondition: Bool { relationship == "SubPlan" || relationship == "InitPlan" }
  }

  private init(names: PlanNames, known: [String: PlanNames.Source], statement: String) {
    self.names = names
    self.known = known
    self.statement = statement
  }

  // MARK: - Nodes

  private mutating func add(_ node: Node, _ depth: Int) {
    switch node.kind {
    case "Seq Scan", "Sample Scan":
      add(FetchPlan.Step.readAll(rows(of: node)), node, depth)
    case "Index Scan", "Index Only Scan":
      add(search(node, by: node, isWithoutRows: node.kind == "Index Only Scan"), node, depth)
    case "Bitmap Heap Scan": addBitmap(node, depth)
    case "Sort": addSort(node, FetchPlan.Step.sorting, depth)
    case "Incremental Sort": addSort(node, FetchPlan.Step.sortingTies, depth)
    case "Aggregate", "Group", "Unique": addGroups(node, depth)
    case "Hash Join", "Merge Join":
      addInputs(node, depth)
      add((.combine, "Joins the rows of both."), node, depth)
    case "Nested Loop", "Limit", "Hash", "Materialize", "Memoize", "Gather", "Gather Merge",
      "Subquery Scan", "Append", "Merge Append":
      addInputs(node, depth)
    default:
      addInputs(node, depth)
      add((.combine, "PostgreSQL: \(node.kind)."), node, depth)
    }
    for part in node.plans ?? [] where part.isOfCondition {
      // A part that is kept in memory is not asked for each row.
      let isOnce = part.relationship == "InitPlan" || node.filter?.contains("hashed ") == true
      add((.combine, isOnce ? FetchPlan.Step.once : FetchPlan.Step.forEach), nil, depth)
      add(part, depth + 1)
    }
  }

  private mutating func add(_ words: PlanWords, _ node: Node?, _ depth: Int) {
    steps.append(
      FetchPlan.Step(
        words.work, words.sentence, depth: depth,
        estimatedRows: node.flatMap { Int(exactly: $0.rows.rounded()) }))
  }

  private mutating func addInputs(_ node: Node, _ depth: Int) {
    for input in node.inputs { add(input, depth) }
  }

  private mutating func addSort(_ node: Node, _ sentence: String, _ depth: Int) {
    addInputs(node, depth)
    add((.sort, sentence), node, depth)
  }

  /// Groups need rows in the order of their keys, or a table in memory.
  private mutating func addGroups(_ node: Node, _ depth: Int) {
    if node.strategy == "Hashed" {
      addInputs(node, depth)
      return add((.combine, "Collects the rows in groups, in no order."), node, depth)
    }
    for input in node.inputs {
      guard input.kind == "Sort" else {
        add(input, depth)
        continue
      }
      addSort(input, FetchPlan.Step.grouping, depth)
    }
  }

  private mutating func addBitmap(_ node: Node, _ depth: Int) {
    for input in node.inputs {
      guard input.kind != "Bitmap Index Scan" else {
        add(search(node, by: input, isWithoutRows: false), node, depth)
        continue
      }
      add((.combine, FetchPlan.Step.joining), node, depth)
      addParts(of: input, node, depth + 1)
    }
  }

  /// The indexes whose rows are joined.
  private mutating func addParts(of bitmap: Node, _ node: Node, _ depth: Int) {
    for part in bitmap.inputs {
      guard part.kind == "Bitmap Index Scan" else {
        addParts(of: part, node, depth)
        continue
      }
      add(search(node, by: part, isWithoutRows: false), part, depth)
    }
  }

  // MARK: - Tables and conditions

  private func source(of node: Node) -> PlanNames.Source {
    let name = node.relation ?? ""
    return known[name] ?? names.source(name)
  }

  private func rows(of node: Node) -> String { source(of: node).rows }

  /// The search in a node's table by the index of another one.
  private func search(_ node: Node, by index: Node, isWithoutRows: Bool) -> PlanWords {
    let source = source(of: node)
    let name = index.index ?? ""
    guard let text = index.condition else {
      // A condition without a limit looks at all of them.
      let isOfOrder = node.filter == nil || statement.contains(" LIMIT ")
      return FetchPlan.Step.read(
        source.rows, by: name, isOfOrder: isOfOrder, isWithoutRows: isWithoutRows)
    }
    let parts = conditions(text, source)
    let sentence = parts.map { FetchPlan.Step.condition($0.property, $0.sign) }
      .joined(separator: " and ")
    let condition = parts.isEmpty ? "" : ", where \(sentence)"
    return !parts.isEmpty && parts.allSatisfy { $0.property == PlanNames.key }
      ? FetchPlan.Step.findByKey(source.rows, condition)
      : FetchPlan.Step.find(source.rows, by: name, condition)
  }

  /// `((score > 5) AND (name = 'x'::text))` in the words of the model, without the values.
  private func conditions(
    _ text: String, _ source: PlanNames.Source
  ) -> [(property: String, sign: String)] {
    // Every other part lies between quotes.
    let parts = text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
    let words = parts.filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")
      .split { " ()".contains($0) }.filter { !$0.hasPrefix("::") }
    return zip(words, words.dropFirst()).compactMap { word, sign in
      guard let column = word.split(separator: ".").last,
        let property = source.properties[column.filter { $0 != "\"" }]
      else { return nil }
      if sign == "IS" { return (property, "=") }
      return sign.allSatisfy { "=<>".contains($0) } ? (property, String(sign)) : nil
    }
  }
}
