// SPDX-License-Identifier: MIT
@testable import SporadesGraph

enum KeyPathNames {
  static func of(_ keyPath: PartialKeyPath<Person>) -> [String] { KeyPathProbe.names(of: keyPath) }
}
