// SPDX-License-Identifier: MIT
package import SporadesModel

/// The value of one column of an answer, before a check that the answer can hold it.
package struct ColumnAnswer {
  /// Nil for a number of rows.
  private let shape: AggregateShape?
  private let result: Value

  package init(count: Int) { self.init(count: .integer(Int64(count))) }

  package init(count: Value) {
    shape = nil
    result = count
  }

  package init(_ shape: AggregateShape, of values: some Sequence<Value>) {
    self.init(shape, shape.function.value(of: values))
  }

  package init(_ shape: AggregateShape, _ result: Value) {
    self.shape = shape
    self.result = result
  }

  /// The sum of whole numbers is one that 64 bits do not hold.
  package struct Overflow: Error {}

  package func value() throws(StoreError) -> Value {
    if let shape, case .double = result, shape.function == .sum, shape.resultType == .integer64 {
      let name = shape.path.names.joined(separator: ".")
      throw StoreError(
        .unsupported,
        "The sum of \(name) is beyond what an integer of 64 bits holds. Sum fewer objects, or keep "
          + "\(name) as a double or a decimal.", underlying: Overflow())
    }
    return result
  }
}
