// SPDX-License-Identifier: MIT

/// Whether a condition for the compiler holds on Linux.
enum ConditionValue {
  case always, never
  /// The settings of a build decide.
  case unknown

  /// The value of a condition that is made of these tokens.
  static func of(_ tokens: [SwiftToken]) -> ConditionValue {
    var reader = Reader(tokens: tokens)
    let value = reader.readOr(depth: 0)
    return reader.place == tokens.count ? value : .unknown
  }

  static func not(_ value: ConditionValue) -> ConditionValue {
    switch value {
    case .always: .never
    case .never: .always
    case .unknown: .unknown
    }
  }

  /// Modules that a condition can ask for and that Linux has not.
  static let absent: Set<String> = [
    "ObjectiveC", "UIKit", "AppKit", "SwiftUI", "Combine", "CloudKit", "Cocoa", "WatchKit",
    "CoreGraphics", "CoreLocation", "MapKit", "Darwin", "os", "OSLog", "CoreFoundation", "Security",
    "WidgetKit", "AppIntents", "Intents", "UniformTypeIdentifiers", "CoreSpotlight", "StoreKit",
  ]

  private static let present: Set<String> = [
    "CoreData", "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Swift",
  ]

  /// Reads a condition by descent. Deep ones are unknown.
  private struct Reader {
    let tokens: [SwiftToken]
    var place = 0

    private func isSign(_ sign: Unicode.Scalar, at offset: Int = 0) -> Bool {
      place + offset < tokens.count && tokens[place + offset].isSign(sign)
    }

    private mutating func takePair(_ sign: Unicode.Scalar) -> Bool {
      guard isSign(sign), isSign(sign, at: 1) else { return false }
      place += 2
      return true
    }

    mutating func readOr(depth: Int) -> ConditionValue {
      var value = readAnd(depth: depth)
      while takePair("|") {
        let other = readAnd(depth: depth)
        if value == .always || other == .always {
          value = .always
        } else if value != .never || other != .never {
          value = .unknown
        }
      }
      return value
    }

    private mutating func readAnd(depth: Int) -> ConditionValue {
      var value = readTerm(depth: depth)
      while takePair("&") {
        let other = readTerm(depth: depth)
        if value == .never || other == .never {
          value = .never
        } else if value != .always || other != .always {
          value = .unknown
        }
      }
      return value
    }

    private mutating func readTerm(depth: Int) -> ConditionValue {
      var isNegated = false
      while isSign("!") {
        isNegated.toggle()
        place += 1
      }
      let value = readPlainTerm(depth: depth)
      return isNegated ? ConditionValue.not(value) : value
    }

    private mutating func readPlainTerm(depth: Int) -> ConditionValue {
      guard depth < 32, place < tokens.count else { return .unknown }
      if isSign("(") {
        place += 1
        let value = readOr(depth: depth + 1)
        if isSign(")") { place += 1 }
        return value
      }
      let word = tokens[place].keyword ?? ""
      place += 1
      guard isSign("(") else {
        return word == "true" ? .always : word == "false" ? .never : .unknown
      }
      place += 1
      let argument = place < tokens.count ? tokens[place].name ?? "" : ""
      var isPlain = true
      while place < tokens.count, !isSign(")") {
        place += 1
        if !isSign(")") { isPlain = false }
      }
      if isSign(")") { place += 1 }
      return isPlain ? answer(word, argument) : .unknown
    }

    private func answer(_ word: String, _ argument: String) -> ConditionValue {
      switch word {
      case "os": argument == "Linux" ? .always : .never
      case "targetEnvironment": .never
      case "_runtime": argument == "_Native" ? .always : .never
      case "canImport" where absent.contains(argument): .never
      case "canImport" where present.contains(argument): .always
      default: .unknown
      }
    }
  }
}
