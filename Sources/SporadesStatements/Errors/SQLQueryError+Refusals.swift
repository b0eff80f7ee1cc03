// SPDX-License-Identifier: MIT
import SporadesSQL

extension SQLQueryError {
  /// The error for what a database refused.
  init(_ refusal: StatementRefusal) {
    switch refusal {
    case .acts(let act):
      self.init(
        .writes,
        "A statement may only read, and this one asks for \(act). Change objects and save them, or use a batch "
          + "request.")
    case .function(let name):
      self.init(
        .function(name),
        "A statement may only read, and SQLite does not know \(name) as a function without effects. Leave it "
          + "out.")
    case .several:
      self.init(
        .severalStatements,
        "There is something behind the end of the statement. Ask for one at a time.")
    case .unfinished: self.init(.unfinished, "The statement breaks off. Finish it.")
    case .empty: self.init(.unfinished, "There is no statement in the text. Write a SELECT.")
    case .withoutRows: self.init(.writes, "The statement answers no rows. Write a SELECT.")
    case .parameters:
      self.init(
        .parameters,
        "The text has parameters of its own. Interpolate each value: \\(value) in the place of ?, :name, @name and $name."
      )
    case .failed(let message): self.init(.failed, "SQLite says of the statement: \(message).")
    }
  }
}
