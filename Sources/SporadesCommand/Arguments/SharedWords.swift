// SPDX-License-Identifier: MIT

// The words that several verbs have.

extension Operand {
  static let store = Operand(name: "STORE", text: "The SQLite file of the store.")
  static let query = Operand(
    name: "QUERY", text: "The question, as one word of the shell: put it in quotes.")
  static let entity = Operand(name: "ENTITY", text: "The name of an entity.")
}

extension VerbOption {
  static let json = VerbOption(name: "json", text: "Print JSON instead of text for people.")
  static let help = VerbOption(name: "help", text: "Print this help.")
  static let model = VerbOption(
    name: "model", value: "FILE",
    text:
      "Read the store with the model in this file (.xcdatamodeld, .xcdatamodel, .momd or .mom) instead of its own."
  )
  static let condition = VerbOption(
    name: "where", value: "PREDICATE",
    text: "A condition in the predicate language: --where 'age > 18'.")
  static let arguments = VerbOption(
    name: "arg", value: "NAME=VALUE",
    text:
      "The value of $NAME in a condition. It has the type of the attribute that it is compared with, and is never "
      + "read as a part of the condition.", repeats: true)
  static let related = VerbOption(
    name: "related", value: "NAME=ATTRIBUTE",
    text:
      "The attribute that tells the objects of a relationship apart: artist=slug. Else a uniqueness constraint of their "
      + "entity.", repeats: true)
  static let delimiter = VerbOption(
    name: "delimiter", value: "CHARACTER",
    text: "The character between the fields of CSV: a comma, unless this names another one, or tab."
  )
  static let replace = VerbOption(
    name: "replace", text: "Replace what is at the new place. Without it, nothing there is touched."
  )
  static let format = VerbOption(
    name: "format", value: "FORM",
    text: "json, jsonl (an object on each line) or csv. Else as the file's ending says.")
}
