// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// The variable that stands for a value of a group. No format can name such a variable.
enum GroupVariable {
  case key(Int)
  case aggregate(Int)

  var name: String {
    switch self {
    case .key(let place): "key \(place)"
    case .aggregate(let place): "aggregate \(place)"
    }
  }

  init?(_ name: String) {
    let words = name.split(separator: " ")
    guard words.count == 2, let place = Int(words[1]) else { return nil }
    switch words[0] {
    case "key": self = .key(place)
    case "aggregate": self = .aggregate(place)
    default: return nil
    }
  }
}

/// The values of one group: of the expressions that make the groups, and of the aggregates.
package struct GroupValues {
  package var keys: [Value]
  package var aggregates: [Value]

  package init(keys: [Value], aggregates: [Value]) {
    self.keys = keys
    self.aggregates = aggregates
  }

  func value(_ output: PreparedQuestion.Output) throws(FetchPredicateError) -> Value {
    switch output {
    case .key(let place): keys[place]
    case .aggregate(let place): aggregates[place]
    case .computed(let expression): try ConstantExpression.value(filling(expression))
    }
  }

  func filling(_ expression: FetchExpression) -> FetchExpression {
    expression.mappingOperands(constant)
  }

  func filling(_ predicate: FetchPredicate) -> FetchPredicate {
    predicate.mappingOperands(constant)
  }

  private func constant(_ operand: FetchExpression) -> FetchExpression {
    guard case .variable(let name) = operand, let variable = GroupVariable(name) else {
      return operand
    }
    // Only a variable of the program's own can have a place that no value has. It is refused as one without a value.
    let (values, place) =
      switch variable {
      case .key(let place): (keys, place)
      case .aggregate(let place): (aggregates, place)
      }
    return values.indices.contains(place) ? .constant(values[place]) : operand
  }
}

extension Value {
  /// A value of a type, to check an expression. A type that is not known is that of a number.
  static func sample(_ type: AttributeType?) -> Value {
    switch type {
    case .string, .uri: .string("")
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .binary: .data(Data())
    case .transformable, .objectID, .composite, .undefined: .null
    default: .integer(1)
    }
  }
}
