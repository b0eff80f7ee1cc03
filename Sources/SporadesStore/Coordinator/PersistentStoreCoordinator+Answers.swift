// SPDX-License-Identifier: MIT
import SporadesModel

// Answers about rows of several stores.
//
// Rules:
// 1. Each store is asked once for what it can compute, and the coordinator combines the answers.
// 2. A mean is the sum over all stores, divided by the number of values in all stores.
// 3. The coordinator reads the rows and computes in memory where answers of stores do not combine: an
//    aggregate over the first rows of an order, a mean of dates, and a sum that is too large for one
//    store though not for all together.
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
    guard holders.count > 1 else {
      return try answers(question, holders, view).first ?? TableAnswer(overNoRowsTo: question)
    }
    guard prepared.combines(question.fetch) else {
      return try SortedMerge.answer(question, prepared, model, view, self)
    }
    do {
      return try combinedAnswer(question, prepared, holders, view)
    } catch  where error.underlying is ColumnAnswer.Overflow {
      return try SortedMerge.answer(question, prepared, model, view, self)
    }
  }

  private func answers(
    _ question: TableQuestion, _ holders: [CoordinatedStore], _ view: StoreView
  ) throws(StoreError) -> [TableAnswer] {
    var answers: [TableAnswer] = []
    for member in holders {
      let nothing = TableAnswer(overNoRowsTo: question)
      answers.append(
        try ask(member, view, else: nothing) { member, view throws(StoreError) in
          var part = question
          part.fetch = member.own(part.fetch)
          return try member.store.answer(part, in: view)
        })
    }
    return answers
  }

  private func combinedAnswer(
    _ question: TableQuestion, _ prepared: PreparedQuestion, _ holders: [CoordinatedStore],
    _ view: StoreView
  ) throws(StoreError) -> TableAnswer {
    var part = question
    (part.fetch.limit, part.fetch.offset) = (nil, 0)
    part.columns = question.columns.map { column in
      if case .aggregate(.average, let path) = column { .aggregate(.sum, of: path) } else { column }
    }
    let rows = try answers(part, holders, view).map { $0.row(of: part.columns.count) }
    var values: [Value] = []
    for (place, column) in prepared.columns.enumerated() {
      let parts = rows.map { $0[place] }
      switch column {
      case .count: values.append(.integer(Self.cut(parts, by: question.fetch)))
      case .aggregate(let shape) where shape.function == .average:
        let count = try countOfValues(shape.path.names, question.fetch, view)
        values.append(
          AggregateFunction.average(of: AggregateFunction.sum.value(of: parts), count: count))
      case .aggregate(let shape): values.append(try ColumnAnswer(shape, of: parts).value())
      }
    }
    return TableAnswer(rows: [values])
  }

  /// The number of rows in all stores, without those that the offset skips and the limit leaves out.
  private static func cut(_ counts: [Value], by fetch: StoreFetch) -> Int64 {
    let all = counts.reduce(0) { $0 + $1.numberOfRows }
    let rest = max(0, all - fetch.offset)
    return Int64(fetch.limit.map { min($0, rest) } ?? rest)
  }

  /// The number of rows in which a key path leads to a value.
  private func countOfValues(
    _ path: [String], _ fetch: StoreFetch, _ view: StoreView
  ) throws(StoreError) -> Int {
    let isPresent = FetchPredicate.comparison(
      .init(.keyPath(path), .notEqual, .constant(.null)))
    var present = fetch
    present.predicate = fetch.predicate.map { .and([$0, isPresent]) } ?? isPresent
    return try count(present, in: view)
  }
}

extension PreparedQuestion {
  /// Whether the answers of stores make the answer of all.
  fileprivate func combines(_ fetch: StoreFetch) -> Bool {
    columns.allSatisfy { column in
      guard case .aggregate(let shape) = column else { return true }
      let isMeanOfDates = shape.function == .average && shape.attribute.type == .date
      return fetch.limit == nil && fetch.offset == 0 && !isMeanOfDates
    }
  }
}
