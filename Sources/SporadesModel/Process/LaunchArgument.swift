// SPDX-License-Identifier: MIT

/// The value with which the program was started for a switch, in Core Data's form:
/// `-com.apple.CoreData.SQLDebug 1`.
package enum LaunchArgument: Equatable {
  case missing
  case level(Int)
  /// Neither a whole number nor YES, NO, true or false.
  case unknown(String)

  package init(_ name: String, in arguments: [String] = CommandLine.arguments) {
    guard let place = arguments.firstIndex(of: name) else {
      self = .missing
      return
    }
    guard place + 1 < arguments.count else {
      self = .unknown("")
      return
    }
    let text = arguments[place + 1]
    switch text.lowercased() {
    case "yes", "true": self = .level(1)
    case "no", "false": self = .level(0)
    default: self = Int(text).map(Self.level) ?? .unknown(text)
    }
  }

  package var isOn: Bool { if case .level(1...) = self { true } else { false } }

  /// The level of a switch that only the program's author gives; nil without one.
  /// A value that is no level is told on standard error.
  package static func level(of name: String) -> Int? {
    switch LaunchArgument(name) {
    case .missing: return nil
    case .level(let level): return level
    case .unknown(let text):
      writeToStandardError(
        "Sporades: the launch argument \(name) has no effect, because \"\(text)\" is no level. Write 1, or 0 to switch it off.\n"
      )
      return nil
    }
  }
}
