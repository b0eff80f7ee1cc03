// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

// Answers about rows of several stores.
//
// Rules:
// 1. Rows for single objects are sorted together.
// 2. Each store is asked once for the groups of its objects, and the coordinator puts equal groups together. A mean is
//    the sum over all stores, divided by the number of values in all stores.
// 3. The coordinator reads the values of single objects where answers for groups do not combine: an aggregate over the
//    first rows of an order, over different values, a sum or mean of doubles or dates, which is rounded once, and a
//    sum that is too large for one store though not for all together.
extension PersistentStoreCoordinator {
  public func answer(
    _ question: TableQuestion, in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    let holders = try holders(question.fetch)
    let prepared: PreparedQuestion
    do {
      prepared = try PreparedQuestion(question, model)
    } catch {
      throw StoreError(refusing: error)
    }
    if holders.count == 1 { return try answers(question, holders, view)[0] }
    switch prepared.kind {
    case .objects(let columns): return try rows(question, columns.count, holders, view)
    case .groups(let groups):
      if let count = try boundedCount(question, groups, holders, view) { return count }
      return try groupAnswer(question, groups, holders, view)
    }
  }

  /// The answer of each store.
  private func answers(
    _ question: TableQuestion, _ holders: [CoordinatedStore], _ view: StoreView
  ) throws(StoreError) -> [TableAnswer] {
    let nothing = try nothing(question)
    var answers: [TableAnswer] = []
    for member in holders {
      answers.append(
        try ask(member, view, else: nothing) { member, view throws(StoreError) in
          member.shared(try member.store.answer(member.own(question), in: view))
        })
    }
    return answers
  }

  /// The answer where no object satisfies the fetch.
  private func nothing(_ question: TableQuestion) throws(StoreError) -> TableAnswer {
    let prepared: PreparedQuestion
    do {
      prepared = try PreparedQuestion(question, model)
    } catch {
      throw StoreError(refusing: error)
    }
    guard case .groups(let groups) = prepared.kind else {
      return TableAnswer(width: question.columns.count, [])
    }
    return try GroupTable(groups).answer(to: question)
  }

  // MARK: - Single objects

  /// The rows of all stores in the order of the fetch. Rows that are equal by it take the order of the stores, which
  /// is the order of their keys.
  private func rows(
    _ question: TableQuestion, _ width: Int, _ holders: [CoordinatedStore], _ view: StoreView
  ) throws(StoreError) -> TableAnswer {
    let fetch = question.fetch
    let terms = fetch.sortTerms.filter { $0.expression != SortTerm.random.expression }
    let isRandom = terms.count < fetch.sortTerms.count
    var part = question
    part.columns += terms.map(\.expression)
    part.fetch.limit = fetch.shown.end
    part.fetch.offset = 0
    var rows = try answers(part, holders, view).flatMap(\.rows)
    if isRandom { rows.shuffle() }
    rows = try sorted(rows, by: terms, from: width)
    let values = fetch.shown.elements(of: rows).flatMap { $0.prefix(width) }
    return TableAnswer(width: width, values)
  }

  /// The rows in the order of the terms, whose values begin at a column.
  private func sorted(
    _ rows: [[Value]], by terms: [SortTerm], from width: Int
  ) throws(StoreError) -> [[Value]] {
    let collators: [(any TextCollator)?]
    do {
      collators = try terms.map { term throws(FetchPredicateError) in
        try term.collation?.collator()
      }
    } catch {
      throw StoreError(refusing: error)
    }
    var keyed = rows.enumerated().map { place, row in
      let keys = terms.enumerated().map { number, term in
        term.key(row[width + number], collators[number])
      }
      return (place: place, keys: keys)
    }
    keyed.sort { left, right in
      for (number, term) in terms.enumerated() {
        let order = term.compare(left.keys[number], right.keys[number])
        if order != 0 { return order < 0 }
      }
      return left.place < right.place
    }
    return keyed.map { rows[$0.place] }
  }

  // MARK: - Groups

  private func groupAnswer(
    _ question: TableQuestion, _ groups: PreparedQuestion.Groups, _ holders: [CoordinatedStore],
    _ view: StoreView
  ) throws(StoreError) -> TableAnswer {
    if let part = GroupTable.part(of: question, groups) {
      do {
        var table = GroupTable(groups)
        for answer in try answers(part, holders, view) { table.add(part: answer) }
        if !table.hasRoundedParts { return try table.answer(to: question) }
      } catch  where error.underlying is AggregateShape.Overflow {
        // The sum of all stores may be smaller than that of one.
      }
    }
    var table = GroupTable(groups)
    let values = GroupTable.values(of: question, groups)
    table.add(values: try rows(values, values.columns.count, holders, view))
    return try table.answer(to: question)
  }

  /// The question that each of several stores is asked.
  func partial(_ question: ExplainedQuestion) throws(StoreError) -> ExplainedQuestion {
    guard case .table(let table) = question else { return question }
    do {
      guard case .groups(let groups) = try PreparedQuestion(table, model).kind else {
        return question
      }
      return .table(GroupTable.part(of: table, groups) ?? GroupTable.values(of: table, groups))
    } catch {
      throw StoreError(refusing: error)
    }
  }

  /// The number of objects within an offset and a limit, which depends on no order; nil for another question.
  private func boundedCount(
    _ question: TableQuestion, _ groups: PreparedQuestion.Groups, _ holders: [CoordinatedStore],
    _ view: StoreView
  ) throws(StoreError) -> TableAnswer? {
    let fetch = question.fetch
    guard groups.isOne, question.columns == [.objectCount], question.having == nil,
      fetch.limit != nil || fetch.offset > 0
    else { return nil }
    var part = fetch
    (part.limit, part.offset, part.sortTerms) = (nil, 0, [])
    let all = try answers(.count(of: part), holders, view).reduce(0) { $0 + $1.count }
    let rest = max(0, all - fetch.offset)
    let count = fetch.limit.map { min($0, rest) } ?? rest
    return TableAnswer(rows: [[.integer(Int64(count))]])
  }
}
