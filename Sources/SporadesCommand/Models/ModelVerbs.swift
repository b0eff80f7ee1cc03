// SPDX-License-Identifier: MIT

extension Verb {
  /// The verbs of the chapter on models, in the order of the help.
  static let modelVerbs: [Verb] = [.hashes, .validate, .convert, .diff, .draw, .drift]
}
