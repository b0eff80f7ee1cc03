// SPDX-License-Identifier: MIT
import SporadesModel

// The verb `drift`: compares a model with the Swift classes of a folder.

extension Verb {
  static let drift = Verb(
    name: "drift", group: .models, summary: "Compare a model with the classes of a program",
    operands: [
      .model,
      Operand(
        name: "DIR", text: "A folder with Swift source, or one file. Links in it are not followed."),
    ],
    details: [
      "Finds the classes of the model's entities, with @Entity or with @NSManaged properties and their extensions, and lists "
        + "what one side lacks, and types, optional marks and relationships that do not fit. Types that only the program "
        + "knows, such as its enums, are taken to fit. Rules, inverses, defaults, indexes and constraints are not compared: "
        + "diff compares the models. Classes that the plugin makes lie in no folder of the program.",
      "The verb ends with 1 if something differs, and with 3 if a file could not be read.",
    ],
    examples: ["sporades drift App.xcdatamodeld Sources", "sporades drift app.sqlite . --json"]
  ) { invocation in
    let given = try GivenModel(invocation.word(Operand.model.name))
    var classes: [SwiftClass] = []
    let folder = try SwiftFolder(invocation.word("DIR")) { bytes, path in
      classes += SwiftParser.classes(in: bytes, file: path)
    }
    guard folder.fileCount > 0 || !folder.failures.isEmpty else {
      throw CommandError.failed("There is no file of Swift source in \(invocation.word("DIR")).")
    }
    let comparison = ClassComparison(given.model, DeclaredClasses(classes))
    let output = invocation.output
    if invocation.isJSON {
      try output.print(
        JSON.object([
          ("files", .count(folder.fileCount)), ("entities", .count(given.model.entities.count)),
          ("classes", .count(comparison.pairedCount)),
          ("differences", .list(comparison.drifts.map(\.json))),
          ("failures", .texts(folder.failures)),
        ]))
    } else {
      for drift in comparison.drifts {
        let subject = [drift.entity, drift.property].compactMap(\.self).joined(separator: ".")
        let place = drift.place.map { "\($0.file):\($0.line)" } ?? given.path
        let text = [place, subject, drift.sentence].filter { !$0.isEmpty }.joined(separator: ": ")
        try output.printLine(TextTable.harmless(text))
      }
      for failure in folder.failures { output.say(TextTable.harmless(failure)) }
      output.say(
        "Files read: \(folder.fileCount). Entities with a class: \(comparison.pairedCount) of \(given.model.entities.count). "
          + "Differences: \(comparison.drifts.count).")
    }
    if !folder.failures.isEmpty { return .couldNot }
    return comparison.drifts.isEmpty ? .done : .foundSomething
  }
}
