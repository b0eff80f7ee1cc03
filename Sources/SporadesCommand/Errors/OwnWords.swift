// SPDX-License-Identifier: MIT
import SporadesModelFiles

/// Turns the advice of the library's sentences, which name Swift, into that of the command line.
enum OwnWords {
  /// Parts of sentences, and the words in their place.
  private static let phrases: [(swift: String, words: String)] =
    [
      ("with related(_:by:)", "with --related RELATIONSHIP=ATTRIBUTE"),
      ("Name attributes in uniquedBy that", "Name attributes with --key that"),
      (
        "the groups (propertiesToGroupBy) or that are distinct (propertiesToFetch, pluck), or",
        "the groups behind grouped by, or"
      ),
      (
        "integrityProblems() lists the damage if the store opens, and PRAGMA integrity_check of the program sqlite3 else.",
        "sporades check lists the damage if the store opens."
      ),
      ("or raise busyMilliseconds", "and try again"),
      (
        "migration.losses is .refused. To remove them, set it to .declared, and name both versions in migration.versions or in a plan, or to .allowed.",
        "To remove them, add --allow-losses."
      ),
      ("to migration.versions in the store's options", "to the folder of models"),
      ("or add that version to migration.versions", "or name the file of its model with --model"),
      (" Open it for writing to make the store there.", ""),
    ]
    + ["a Date", "a UUID", "data", "an object or its id"].map {
      (
        "Pass \($0) as the argument of %@.",
        "Write $NAME in its place, and pass the value with --arg NAME=VALUE."
      )
    }

  static func of(_ text: String) -> String {
    var text = phrases.reduce(text) { $0.replacing($1.swift, with: $1.words) }
    if let range = text.firstRange(of: "CSVForm(delimiter: "),
      let end = text[range.upperBound...].firstIndex(of: ")")
    {
      text.replaceSubrange(
        range.lowerBound...end, with: "--delimiter " + text[range.upperBound..<end])
    }
    return text
  }

  /// The sentence of an error of any kind.
  static func of(_ error: any Error) -> String { of(FileFailure.reason(error)) }
}
