// SPDX-License-Identifier: MIT

extension Program {
  /// All verbs, in the order of the help.
  static let allVerbs: [Verb] =
    [.inspect, .dump, .query, .explain, .history, .watch]
    + [.check, .recover, .copy, .backup, .vacuum, .migrate, .import, .export]
    + Verb.modelVerbs + [.new, .completion, .man]
}
