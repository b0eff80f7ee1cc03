// SPDX-License-Identifier: MIT
package import SporadesModel

/// The columns of a question, their names found in the model.
package struct PreparedQuestion {
  package enum Column {
    case count
    case aggregate(AggregateShape)
  }

  package let columns: [Column]

  package init(
    _ question: TableQuestion, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    columns = try question.columns.map { column throws(FetchPredicateError) in
      switch column {
      case .count: .count
      case .aggregate(let function, let path):
        .aggregate(try AggregateShape(function, of: path, in: question.fetch.entity, model))
      }
    }
  }

  /// Computes the columns in memory.
  package func answers<Subject: PredicateSubject>(
    over subjects: some Collection<Subject>
  ) throws(Subject.Failure) -> [ColumnAnswer] {
    try columns.map { column throws(Subject.Failure) in
      guard case .aggregate(let shape) = column else { return ColumnAnswer(count: subjects.count) }
      var values: [Value] = []
      values.reserveCapacity(subjects.count)
      for subject in subjects { values.append(try PredicateEvaluator.value(shape, of: subject)) }
      return ColumnAnswer(shape, of: values)
    }
  }
}

extension TableAnswer {
  /// The answer to a question without groups.
  package init(_ columns: [ColumnAnswer]) throws(StoreError) {
    self.init(rows: [try columns.map { column throws(StoreError) in try column.value() }])
  }
}
