// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles

extension Verb {
  static let validate = Verb(
    name: "validate", group: .models, summary: "List the mistakes in models",
    operands: [
      Operand(
        name: Operand.model.name,
        text: "A model, or a store with its own. Several are checked together.",
        count: .atLeastOne)
    ],
    details: [
      "Reads all versions in a folder of versions, and prints each mistake and each warning with its file and line, as "
        + "compilers do. A warning tells of a part that Apple's tools accept and that no store depends on.",
      "The verb ends with 1 if there is a mistake, and with 3 if something could not be read.",
    ],
    examples: [
      "sporades validate App.xcdatamodeld", "sporades validate Models/*.xcdatamodeld --json",
    ]
  ) { invocation in
    let reports = try invocation.allWords(Operand.model.name).flatMap(ModelReport.reports)
    if invocation.isJSON {
      try invocation.output.print(
        JSON.object([
          ("models", .list(reports.map(\.json))),
          ("mistakes", .count(reports.reduce(0) { $0 + $1.mistakes.count })),
          ("warnings", .count(reports.reduce(0) { $0 + $1.warnings.count })),
        ]))
    } else {
      for report in reports { try report.print(to: invocation.output) }
      invocation.output.say(ModelReport.summary(of: reports))
    }
    if reports.contains(where: \.isUnreadable) { return .couldNot }
    return reports.contains { !$0.mistakes.isEmpty } ? .foundSomething : .done
  }
}

/// The mistakes and warnings of one version of a model.
private struct ModelReport {
  let path: String
  private(set) var mistakes: [ModelError.Problem] = []
  private(set) var warnings: [ModelWarning] = []

  /// A part of the mistakes is that a file cannot be read.
  var isUnreadable: Bool { mistakes.contains { $0.code == .unreadableFile } }

  /// The report of a model, or those of all versions in a folder of versions.
  static func reports(_ path: String) throws -> [ModelReport] {
    guard try !GivenModel.isStore(path) else { return [try ModelReport(store: path)] }
    do {
      guard let versions = try GivenModel.versions(at: path) else {
        return [ModelReport(URL(fileURLWithPath: path))]
      }
      return versions.map { ModelReport($0.url) }
    } catch let error as ModelError {
      return [ModelReport(path: path, mistakes: error.problems)]
    }
  }

  private init(path: String, mistakes: [ModelError.Problem]) {
    (self.path, self.mistakes) = (path, mistakes)
  }

  private init(_ url: URL) {
    path = url.path
    do throws(ModelError) {
      warnings = try ModelFile.read(url).warnings
    } catch {
      mistakes = error.problems
    }
  }

  private init(store path: String) throws {
    self.path = path
    warnings = try GivenModel(path).warnings
  }

  var json: JSON {
    .object([
      ("path", .text(path)), ("mistakes", .list(mistakes.map(\.json))),
      ("warnings", .list(warnings.map(\.json))),
    ])
  }

  func print(to output: Output) throws {
    let terminal = output.terminal
    for mistake in mistakes { try output.printLine(line(mistake, terminal.red("error"))) }
    for warning in warnings { try output.printLine(line(warning, terminal.bold("warning"))) }
  }

  private func line(_ problem: ModelError.Problem, _ word: String) -> String {
    let place = problem.location.map { "\($0.file):\($0.line)" } ?? path
    var sentence = problem.sentence
    // A sentence about the whole file begins with its path.
    if sentence.hasPrefix(place + " ") { sentence.removeFirst(place.count + 1) }
    return "\(TextTable.harmless(place)): \(word): \(TextTable.harmless(sentence))"
  }

  static func summary(of reports: [ModelReport]) -> String {
    let mistakes = reports.reduce(0) { $0 + $1.mistakes.count }
    let warnings = reports.reduce(0) { $0 + $1.warnings.count }
    func counted(_ count: Int, _ one: String) -> String {
      "\(count) \(one)\(count == 1 ? "" : "s")"
    }
    return
      "\(counted(reports.count, "version")): \(counted(mistakes, "mistake")), \(counted(warnings, "warning"))."
  }
}
