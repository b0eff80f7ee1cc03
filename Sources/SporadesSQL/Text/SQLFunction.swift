// SPDX-License-Identifier: MIT
package import SporadesModel

/// The names of the functions in compiled conditions. Each store registers them.
package enum SQLFunction {
  private static let prefix: StaticString = "SPORADES_"

  /// Whether a statement may call one of the functions. A name of a table or a text with the same letters answers true, too.
  package static func mayBeNamed(in sql: String) -> Bool {
    let utf8 = sql.utf8
    var matched = 0
    return prefix.withUTF8Buffer { prefix in
      for byte in utf8 {
        // A name follows no letter, so that none begins within a beginning of another.
        matched = unsafe byte == prefix[matched] ? matched + 1 : byte == prefix[0] ? 1 : 0
        if matched == prefix.count { return true }
      }
      return false
    }
  }

  /// `SPORADES_FOLD(text, options)`: ``TextFolding/fold(_:_:)``
  package static let fold = "SPORADES_FOLD"
  /// `SPORADES_LIKE(text, pattern, options)`
  package static let like = "SPORADES_LIKE"
  /// `SPORADES_MATCHES(text, pattern, options)`
  package static let matches = "SPORADES_MATCHES"
  /// `SPORADES_COLLATE(text, comparison, locale)`: the key of a text in the order of a language. It stands in orders
  /// alone.
  package static let collate = "SPORADES_COLLATE"
  /// `SPORADES_CAST(value, source, type)`: ``CastType/apply(_:)``
  package static let cast = "SPORADES_CAST"
  /// `SPORADES_SQRT(number)`, `SPORADES_MEDIAN(number, number, …)`: ``FetchFunction``
  package static func name(of function: FetchFunction) -> String {
    "SPORADES_" + function.rawValue.uppercased()
  }
  /// `SPORADES_DECIMAL('+', number, decimal)`: arithmetic with decimals. A double is taken for the decimal with its
  /// digits. The result has the form of a column: text in a blob where a double does not keep the digits.
  package static let decimal = "SPORADES_DECIMAL"
  /// `SPORADES_NUMBER(decimal)`: the number as which a decimal of that form compares.
  package static let number = "SPORADES_NUMBER"
  /// `SPORADES_SUM_OF_DECIMALS(decimal, decimal)`: a function of a list of decimals.
  package static func ofDecimals(_ function: FetchFunction) -> String {
    name(of: function) + "_OF_DECIMALS"
  }
  /// `SPORADES_MEDIAN_OF(number, 0)`: the function of the values of all rows of a group. The second argument is 1 for
  /// decimals.
  package static func collector(of function: FetchFunction) -> String {
    name(of: function) + "_OF"
  }
  /// `SPORADES_TOTAL(number)`: the sum of all rows of a group, rounded once; see ``ExactTotal``.
  package static let total = "SPORADES_TOTAL"
  /// `SPORADES_MEAN(number)`: the mean of all rows of a group.
  package static let mean = "SPORADES_MEAN"
  /// `SPORADES_MODULUS(number, number)`: ``ArithmeticOperator``
  package static func name(of operation: ArithmeticOperator) -> String {
    let name =
      switch operation {
      case .add: "ADD"
      case .subtract: "SUBTRACT"
      case .multiply: "MULTIPLY"
      case .divide: "DIVIDE"
      case .modulus: "MODULUS"
      case .power: "POWER"
      case .bitwiseAnd: "AND"
      case .bitwiseOr: "OR"
      case .bitwiseXor: "XOR"
      case .shiftLeft: "LEFT"
      case .shiftRight: "RIGHT"
      }
    return "SPORADES_" + name
  }
  /// `SPORADES_BYTES(stored)`: the value of an attribute that may be in a separate file.
  package static let bytes = "SPORADES_BYTES"
  /// `SPORADES_CAPITALS(text, isUpper)`: a text in capitals or in small letters, as Swift writes them.
  package static let capitals = "SPORADES_CAPITALS"
  /// `SPORADES_CONVERT(value, old type, new type)`: an attribute's value in another type; null if it has none there.
  package static let convert = "SPORADES_CONVERT"
  /// `SPORADES_STORED(bytes)`: what a column with external storage holds for a value.
  package static let stored = "SPORADES_STORED"
  /// `SPORADES_IS_UNREADABLE(stored)`: whether a column names a file that cannot be read into a row.
  package static let isUnreadable = "SPORADES_IS_UNREADABLE"
  /// `SPORADES_COLUMNS(entity, bits)`: the bits of a history change in another version of the model.
  package static let columns = "SPORADES_COLUMNS"
}
