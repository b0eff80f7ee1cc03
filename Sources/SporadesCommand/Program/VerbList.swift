// SPDX-License-Identifier: MIT

extension Program {
  /// All verbs, in the order of the help.
  static let allVerbs = look + care + Verb.modelVerbs + others

  private static let look: [Verb] = [.inspect, .dump, .query, .explain, .history, .watch]
  private static let care: [Verb] = [
    .check, .recover, .copy, .backup, .vacuum, .migrate, .import, .export,
  ]
  private static let others: [Verb] = [.new, .completion, .man]
}
