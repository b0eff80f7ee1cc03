// SPDX-License-Identifier: MIT

extension Program {
  /// All verbs, in the order of the help.
  static let allVerbs: [Verb] = [.inspect, .dump, .query] + Verb.generateVerbs
}
