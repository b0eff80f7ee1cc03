// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import Testing

@Suite struct UserDefaultsTests {
  @Test func valuesAreReadAndSetByKey() throws {
    let name = "UserDefaultsTests-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    defaults.setValue("One", forKey: "title")
    #expect(defaults.value(forKey: "title") as? String == "One")
    defaults.setValue(nil, forKey: "title")
    #expect(defaults.value(forKey: "title") == nil)
  }
}
