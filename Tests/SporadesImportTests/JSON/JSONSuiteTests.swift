// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesImport

/// Every input is wrapped as an element of an array, so that it is one value, and read in small windows, too.
@Suite struct JSONSuiteTests {
  @Test(arguments: JSONSuite.cases(JSONSuite.accepted))
  func accepts(_ input: SuiteCase) throws {
    let wrapped = Array("[".utf8) + input.bytes + Array("]".utf8)
    let whole = try readAll(wrapped)
    #expect(whole.values.count == 1)
    #expect(whole.failures.isEmpty)
    for block in [1, 3, 16] {
      #expect(try readAll(wrapped, block: block).values == whole.values)
    }
  }

  @Test(arguments: JSONSuite.cases(JSONSuite.refused))
  func refuses(_ input: SuiteCase) throws {
    for block in [1, 7, 1 << 18] {
      #expect(Self.isRefused(input.bytes, block), "in windows of \(block)")
    }
  }

  @Test(arguments: JSONSuite.cases(JSONSuite.free))
  func saysTheSameInEachWindow(_ input: SuiteCase) {
    let answers = [1, 5, 1 << 18].map { Self.isRefused(input.bytes, $0) }
    #expect(Set(answers).count == 1)
  }

  @Test func refusesTheTwoLargeInputs() {
    #expect(Self.isRefused(Array(repeating: UInt8(ascii: "["), count: 100_000), 1 << 12))
    let pairs = Array(repeating: Array("[{\"\":".utf8), count: 50_000).flatMap(\.self)
    #expect(Self.isRefused(pairs, 1 << 12))
  }

  /// The input is no single value of JSON. Several values one behind the other are lines here, and none in the
  /// suite.
  private static func isRefused(_ bytes: [UInt8], _ block: Int) -> Bool {
    guard let all = try? readAll(bytes, block: block), all.failures.isEmpty else { return true }
    let isArray = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    return !isArray && all.values.count != 1
  }
}
