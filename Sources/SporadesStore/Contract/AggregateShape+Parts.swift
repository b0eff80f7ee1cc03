// SPDX-License-Identifier: MIT
package import SporadesModel

extension AggregateShape {
  /// The sum of whole numbers is one that 64 bits do not hold.
  package struct Overflow: Error {}

  /// The result over the values of a group.
  func result(over values: [Value]) throws(StoreError) -> Value {
    let result: Value
    do { result = try value(of: values) } catch { throw StoreError(refusing: error) }
    return try checked(result)
  }

  /// The result, unless it is a sum of whole numbers that is rounded.
  package func checked(_ result: Value) throws(StoreError) -> Value {
    guard case .double = result, function == .sum, resultType == .integer64 else { return result }
    throw overflow
  }

  package var overflow: StoreError {
    let name = argument.map { "\($0.expression)" } ?? "the objects"
    return StoreError(
      .unsupported,
      "The sum of \(name) is beyond what an integer of 64 bits holds. Sum fewer objects, or keep "
        + "\(name) as a double or a decimal.", underlying: Overflow())
  }

  /// The columns whose values for several parts of a group give the value for the group; nil if there are none.
  var parts: [FetchExpression]? {
    guard !isDistinct, !addsDoubles else { return nil }
    switch function {
    case .count: return [argument.map { .function(.count, [$0.expression]) } ?? .objectCount]
    case .sum, .min, .max: return argument.map { [.function(function, [$0.expression])] }
    case .average:
      guard let argument else { return nil }
      return [.function(.sum, [argument.expression]), .function(.count, [argument.expression])]
    default: return nil
    }
  }
}
