// SPDX-License-Identifier: MIT

/// A Swift file that a generator makes of a model.
package struct GeneratedFile: Hashable, Sendable {
  /// The writer of a file.
  package enum Half: String, Sendable, CaseIterable {
    /// The generator writes the file, and writes it again after each change of the model.
    case machine
    /// The generator makes the file once. Everything after that is the work of people.
    case human
  }

  package let name: String
  package let half: Half
  package let text: String

  /// Makes a file. A machine's file begins with a line that says so.
  init(_ name: String, _ half: Half, _ text: String, model: String) {
    self.name = name
    self.half = half
    self.text =
      half == .human
      ? text : Self.mark(model) + "// swift-format-ignore-file\n// swiftlint:disable all\n" + text
  }

  /// The first line of the files that the machine writes for a model.
  static func mark(_ model: String) -> String {
    markOfAnyModel + "\(model). Each run replaces this file: change the model.\n"
  }

  /// The beginning of the files that the machine writes for any model.
  static let markOfAnyModel = "// Made by sporades of the model "
}
