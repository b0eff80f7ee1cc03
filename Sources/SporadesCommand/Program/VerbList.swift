// SPDX-License-Identifier: MIT

extension Program {
  /// All verbs, in the order of the help.
  static let allVerbs: [Verb] = [look, care, Verb.modelVerbs, Verb.generateVerbs, others].flatMap(
    \.self)

  private static let look: [Verb] = [.inspect, .dump, .query, .explain, .history, .watch]
  private static let care: [Verb] = [
    .check, .recover, .copy, .backup, .vacuum, .migrate, .import, .export,
  ]
  private static let others: [Verb] = [.new, .completion, .man]
}
