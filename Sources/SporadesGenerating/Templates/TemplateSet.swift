// SPDX-License-Identifier: MIT
package import FoundationEssentials
import SporadesModelFiles

/// The templates in a folder. A template takes the place of a built-in text.
package struct TemplateSet: Sendable {
  /// The files of a folder that are templates.
  package enum Kind: String, Sendable, CaseIterable {
    case machine, human, model

    package var fileName: String { "\(rawValue).template" }
  }

  private var templates: [Kind: TextTemplate] = [:]
  /// The values of the names behind `var.` in templates.
  package var variables: [String: String] = [:]

  /// Has no templates.
  package init() {}

  /// The largest number of bytes of a template.
  private static let bytes = 1 << 20

  /// Reads the templates of a folder, which has at least one.
  package init(folder: URL, variables: [String: String]) throws(GenerationError) {
    self.variables = variables
    for kind in Kind.allCases {
      let file = folder.appendingPathComponent(kind.fileName)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      let data: Data
      do {
        data = try Data(contentsOf: file)
      } catch {
        throw GenerationError([
          "\(file.path) cannot be read (\(FileFailure.reason(error))); check its permissions."
        ])
      }
      guard data.count <= Self.bytes, let text = String(validating: data, as: UTF8.self) else {
        throw GenerationError([
          "\(file.path) is no template; write a text in UTF-8 of at most \(Self.bytes >> 20) MiB."
        ])
      }
      templates[kind] = try TextTemplate(text, file: file.path)
    }
    if templates.isEmpty {
      let names = Kind.allCases.map(\.fileName).joined(separator: ", ")
      throw GenerationError([
        "\(folder.path) holds none of the templates \(names); put at least one there."
      ])
    }
  }

  /// The text that a template makes; nil if there is none of the kind.
  func text(
    _ kind: Kind, _ data: @autoclosure () -> TemplateValue
  ) throws(GenerationError) -> String? {
    guard let template = templates[kind] else { return nil }
    return try template.text(data())
  }
}
