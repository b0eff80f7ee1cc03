// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPlans
import SporadesSQL

/// Puts SQLite's plan of a statement into words.
///
/// SQLite describes each step in a line such as `SEARCH t0 USING INDEX byName (ZNAME=?)`. Its documentation names the
/// forms (https://sqlite.org/eqp.html). A line in another form is quoted as it is.
struct PlanReader {
  private let statement: SQLStatement
  private let names: PlanNames

  init(_ statement: SQLStatement, _ model: ManagedObjectModel, _ layout: StoreLayout) {
    self.statement = statement
    names = PlanNames(statement.sql, model, layout)
  }

  /// The statement that asks SQLite for its plan. Its rows hold a number, the number of the step that it is a part of, an
  /// unused number, and the line.
  var question: SQLStatement {
    SQLStatement("EXPLAIN QUERY PLAN \(statement.sql)", statement.bindings)
  }

  /// The plan that the rows of the ``question`` describe.
  func plan(_ rows: [[SQLValue]]) -> FetchPlan {
    var depths: [Int64: Int] = [:]
    var steps: [FetchPlan.Step] = []
    for row in rows {
      guard row.count > 3, let number = row[0].integer, let line = row[3].text else { continue }
      let depth = row[1].integer.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
      depths[number] = depth
      let (work, sentence) = step(line)
      steps.append(FetchPlan.Step(work, sentence, depth: depth))
    }
    return FetchPlan(statement: statement.sql, steps: steps)
  }

  private func step(_ line: String) -> PlanWords {
    var words = line.split(separator: " ").map(String.init)[...]
    switch words.popFirst() {
    case "SCAN": return scan(words, line)
    case "SEARCH": return search(words, line)
    case "USE" where line.hasPrefix("USE TEMP B-TREE FOR "):
      return (.sort, sorting(words.dropFirst(3).joined(separator: " ")))
    default: return (.combine, nesting(line))
    }
  }

  // MARK: - Reading

  private func scan(_ words: ArraySlice<String>, _ line: String) -> PlanWords {
    guard let name = words.first, name != "CONSTANT", !name.hasPrefix("(") else {
      return (.combine, "Reads the rows of the steps below.")
    }
    let rows = names.source(name).rows
    guard let index = index(in: words) else {
      return line.contains("VIRTUAL TABLE")
        ? (.find(index: rows), "Finds rows by the area index \(rows).")
        : FetchPlan.Step.readAll(rows)
    }
    // A condition or a sort without a limit looks at all of them.
    let isOfOrder = !statement.sql.contains(" WHERE ") || statement.sql.contains(" LIMIT ")
    return FetchPlan.Step.read(
      rows, by: index, isOfOrder: isOfOrder, isWithoutRows: line.contains("COVERING"))
  }

  private func search(_ words: ArraySlice<String>, _ line: String) -> PlanWords {
    guard let name = words.first else { return (.combine, quoted(line)) }
    let source = names.source(name)
    let condition = condition(line, source).map { ", where \($0)" } ?? ""
    if line.contains("INTEGER PRIMARY KEY") {
      return FetchPlan.Step.findByKey(source.rows, condition)
    }
    if line.contains(" AUTOMATIC ") {
      return (
        .makeIndex,
        "Makes an index of \(source.rows) for this statement, and finds rows by it\(condition)."
      )
    }
    guard let index = index(in: words) else { return (.combine, quoted(line)) }
    return FetchPlan.Step.find(source.rows, by: index, condition)
  }

  /// The name after the word `INDEX`.
  private func index(in words: ArraySlice<String>) -> String? {
    guard let place = words.firstIndex(of: "INDEX"), place + 1 < words.endIndex else { return nil }
    let name = words[place + 1]
    return name.hasPrefix("(") || name.contains(":") ? nil : name
  }

  /// `(ZNAME=? AND ZAGE>?)` in the words of the model.
  private func condition(_ line: String, _ source: PlanNames.Source) -> String? {
    guard let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")"), start < end
    else { return nil }
    let terms = line[line.index(after: start)..<end].split(separator: " ").filter { $0 != "AND" }
    return terms.map { term in
      guard let sign = term.firstIndex(where: { "=<>".contains($0) }) else { return String(term) }
      let column = String(term[..<sign])
      return FetchPlan.Step.condition(source.properties[column] ?? column, String(term[sign]))
    }.joined(separator: " and ")
  }

  // MARK: - Other steps

  private func sorting(_ purpose: String) -> String {
    switch purpose {
    case "GROUP BY": FetchPlan.Step.grouping
    case "DISTINCT": "Collects the rows, to leave out repeated ones."
    case "ORDER BY": FetchPlan.Step.sorting
    case _ where purpose.hasSuffix("(DISTINCT)"): "Collects the values, to leave out repeated ones."
    default: FetchPlan.Step.sortingTies
    }
  }

  private func nesting(_ line: String) -> String {
    if line.hasPrefix("CORRELATED") { return FetchPlan.Step.forEach }
    if line.contains("SUBQUERY") { return FetchPlan.Step.once }
    if line == "MULTI-INDEX OR" { return FetchPlan.Step.joining }
    if line.hasPrefix("INDEX ") { return "One of them:" }
    return quoted(line)
  }

  private func quoted(_ line: String) -> String { "SQLite: \(line)." }
}
