// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A value that a request computes for each object or each group, and its Swift type.
public struct FetchedColumn<Output>: Sendable {
  /// The name of the value, for messages.
  let name: String
  let expression: FetchExpression
  /// The value is that of an attribute of the object itself, or a sum, so that nil stands for zero or an
  /// empty value.
  let hasStandIn: Bool

  init(_ name: String, _ expression: FetchExpression, hasStandIn: Bool = false) {
    self.name = name
    self.expression = expression
    self.hasStandIn = hasStandIn
  }

  /// A column that a key path describes. A key path that no column can have is refused when the
  /// request is fetched.
  init<Object: ManagedObject>(
    _ keyPath: PartialKeyPath<Object>, hasStandIn: Bool = false,
    _ make: (FetchExpression) -> FetchExpression = { $0 }
  ) {
    do throws(FetchPredicateError) {
      let names = try KeyPathNames.path(of: keyPath).names
      self.init(
        "\(Object.self).\(names.joined(separator: "."))", make(FetchExpression(of: keyPath)),
        hasStandIn: hasStandIn || names.count == 1)
    } catch {
      self.init("\(Object.self)", .refused(error))
    }
  }
}

/// Several columns, and a Swift tuple of their values in each row of an answer.
struct ColumnList<Values>: Sendable {
  /// Reads the values of one row, whose first value has the place.
  typealias Reader = (TableRow, ManagedObjectContext) throws -> Values

  let expressions: [FetchExpression]
  /// Prepares the reader of the rows. It refuses types that no column has.
  let makeReader: @Sendable () throws -> Reader

  init<each V>(_ columns: repeat FetchedColumn<each V>) where Values == (repeat each V) {
    var expressions: [FetchExpression] = []
    repeat expressions.append((each columns).expression)
    self.expressions = expressions
    makeReader = { () throws -> Reader in
      let readers = (repeat try ColumnReader(each columns))
      return { row, context in
        var row = row
        return (repeat try (each readers).read(row.next(), in: context))
      }
    }
  }
}

/// A row of an answer, read from left to right.
struct TableRow {
  let answer: TableAnswer
  let row: Int
  var column: Int

  mutating func next() -> Value {
    defer { column += 1 }
    return answer[row, column]
  }
}
