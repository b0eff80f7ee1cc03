// SPDX-License-Identifier: MIT
@testable import SporadesGraph

enum PersonKeyPaths {
  static func names(of keyPath: PartialKeyPath<Person>) throws -> [String] {
    try KeyPathNames.names(of: keyPath)
  }
}
