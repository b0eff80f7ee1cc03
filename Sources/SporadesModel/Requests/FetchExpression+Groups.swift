// SPDX-License-Identifier: MIT

// Values over all objects of a group. Without `propertiesToGroupBy`, all fetched objects are one group.
extension FetchExpression {
  /// The number of objects of a group: `count:(SELF)`.
  public static let objectCount = FetchExpression.function(.count, [.subject])

  /// The number of objects of a group that have a value: `count:(name)`.
  public static func count(of keyPath: String) -> FetchExpression {
    .function(.count, [FetchExpression(keyPath: keyPath)])
  }

  /// The number of different values in a group: `@distinctUnionOfObjects.name.@count`.
  public static func count(ofDistinct keyPath: String) -> FetchExpression {
    .collection(
      FetchCollection([], values: keyPath.propertyNames, union: .distinct, asking: .count))
  }

  /// The total of an attribute in a group: `sum:(age)`.
  public static func sum(of keyPath: String) -> FetchExpression {
    .function(.sum, [FetchExpression(keyPath: keyPath)])
  }

  /// The smallest value of an attribute in a group: `min:(age)`.
  public static func min(of keyPath: String) -> FetchExpression {
    .function(.min, [FetchExpression(keyPath: keyPath)])
  }

  /// The largest value of an attribute in a group: `max:(age)`.
  public static func max(of keyPath: String) -> FetchExpression {
    .function(.max, [FetchExpression(keyPath: keyPath)])
  }

  /// The mean value of an attribute in a group: `average:(age)`.
  public static func average(of keyPath: String) -> FetchExpression {
    .function(.average, [FetchExpression(keyPath: keyPath)])
  }

  /// The total of a computed value in a group: `sum:(price * amount)`.
  public static func sum(of expression: FetchExpression) -> FetchExpression {
    .function(.sum, [expression])
  }

  /// The smallest computed value in a group.
  public static func min(of expression: FetchExpression) -> FetchExpression {
    .function(.min, [expression])
  }

  /// The largest computed value in a group.
  public static func max(of expression: FetchExpression) -> FetchExpression {
    .function(.max, [expression])
  }

  /// The mean computed value in a group.
  public static func average(of expression: FetchExpression) -> FetchExpression {
    .function(.average, [expression])
  }

  /// The value at the end of a key path that is written with points. The key path may hold an operator:
  /// `"owner.name"`, `"pets.@count"`, `"pets.@max.age"`.
  public init(keyPath: String) {
    let names = keyPath.propertyNames
    guard let place = names.firstIndex(where: { $0.hasPrefix("@") }) else {
      self = .keyPath(names)
      return
    }
    let (path, rest) = (Array(names[..<place]), Array(names[(place + 1)...]))
    let functions: [String: AggregateFunction] = [
      "@sum": .sum, "@min": .min, "@max": .max, "@avg": .average,
    ]
    if names[place] == "@count", rest.isEmpty {
      self = .count(path)
    } else if let function = functions[names[place]], !rest.isEmpty {
      self = .aggregate(function, path + rest)
    } else {
      self = .keyPath(names)
    }
  }
}
