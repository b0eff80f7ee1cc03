// SPDX-License-Identifier: MIT

/// The meaning of a function's name in a format.
package enum PredicateCall {
  /// A function with one expression in the tree.
  case function(FetchFunction)
  /// `add:to:(a, b)`: an operation of two values.
  case operation(ArithmeticOperator)
  /// `castObject:toType:(a, "NSString")`
  case cast
  /// `objectFrom:withIndex:(chapters, 0)`
  case element
  /// `indexed:by:(latitude, "byPlace")`
  case indexed
  /// `CAST`, `TERNARY`, `SUBQUERY`, `FUNCTION`
  case form(Form)

  /// The calls with a grammar of their own.
  package enum Form: String, CaseIterable {
    case cast = "CAST"
    case ternary = "TERNARY"
    case subquery = "SUBQUERY"
    case function = "FUNCTION"
  }

  /// The names with more than one part, and the other names of functions. They are found in any case.
  private static let names: [String: PredicateCall] = {
    var names: [String: PredicateCall] = [
      "castObject:toType": .cast, "objectFrom:withIndex": .element, "indexed:by": .indexed,
      "ceil": .function(.ceiling), "avg": .function(.average),
    ]
    for operation in ArithmeticOperator.allCases {
      names[operation.functionName] = .operation(operation)
    }
    return names
  }()

  /// The names of methods of Foundation's objects that say the same as a function. Only `FUNCTION` takes them.
  private static let methods: [String: PredicateCall] = [
    "uppercaseString": .function(.uppercase), "uppercased": .function(.uppercase),
    "lowercaseString": .function(.lowercase), "lowercased": .function(.lowercase),
    "pow": .operation(.power), "dateByAddingTimeInterval": .operation(.add),
    "addingTimeInterval": .operation(.add), "timeIntervalSinceDate": .operation(.subtract),
  ]

  private static let byName: [String: PredicateCall] = {
    var all: [String: PredicateCall] = [:]
    for (name, call) in names { all[name.lowercased()] = call }
    for function in FetchFunction.allCases {
      all[function.rawValue.lowercased()] = .function(function)
    }
    for form in Form.allCases { all[form.rawValue.lowercased()] = .form(form) }
    return all
  }()

  private static let byMethod = Dictionary(
    uniqueKeysWithValues: methods.map { ($0.key.lowercased(), $0.value) })

  /// The names of all functions as formats spell them.
  static let spellings: [String] =
    (FetchFunction.allCases.map { $0.rawValue + ($0.argumentCount == 0 ? "(" : ":(") }
    + names.keys.filter { $0.contains(":") }.map { "\($0):(" }
    + Form.allCases.map { "\($0.rawValue)(" }).sorted()

  /// Finds the function with a name such as `modulus:by`, without a colon at its end.
  package init?(_ name: String) {
    guard let call = Self.byName[name.lowercased()] else { return nil }
    self = call
  }

  /// Finds the function of a name in quotes, as `FUNCTION` takes it.
  init?(method name: String) {
    let name = name.hasSuffix(":") ? String(name.dropLast()) : name
    if let call = Self.byMethod[name.lowercased()] {
      self = call
    } else {
      self.init(name)
    }
  }

  /// The sentence for a name that no function has.
  static func describeUnknown(_ name: String) -> String {
    switch name.lowercased() {
    case "fetch":
      return "FETCH() is not supported; fetch the other objects first, and pass them to IN."
    case "randomn":
      return "randomn:() is not supported; a list of random numbers is of no use in a condition."
    case "distancetolocation:fromlocation":
      return
        "distanceToLocation:fromLocation:() is not supported; compare latitude and longitude with bounds."
    case "blockpredicate":
      return "BLOCKPREDICATE() is not supported; a text holds no closure. Use FetchPredicate { … }."
    case "lower", "lcase": return "\(name)() is not a function; write lowercase(…), or ==[c]."
    case "upper", "ucase": return "\(name)() is not a function; write uppercase(…), or ==[c]."
    case "len", "char_length": return "\(name)() is not a function; write length(…)."
    default:
      let nearest = NearNames(name, among: byName.keys).nearest.flatMap { near in
        spellings.first {
          $0.lowercased().hasPrefix("\(near)(") || $0.lowercased().hasPrefix("\(near):(")
        }
      }
      return "\(name)() is not a function.\(nearest.map { " The nearest one is \($0)…)." } ?? "")"
    }
  }
}
