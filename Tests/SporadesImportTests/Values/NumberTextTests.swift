// SPDX-License-Identifier: MIT
import FoundationEssentials
import Testing

@testable import SporadesImport

@Suite struct NumberTextTests {
  @Test func doublesAreTheNearest() {
    let wrong = (0..<5000).map { _ in Double(bitPattern: .random(in: 0...(.max))) }
      .filter(\.isFinite)
      .filter { NumberText.double(Array("\($0)".utf8)[...]) != $0 }
    #expect(wrong.isEmpty)
    for text in [
      "0.1", "123456789.123456789", "9007199254740993", "1e22", "1e23", "-1.5E-7", "0e999",
    ] {
      #expect(NumberText.double(Array(text.utf8)[...]) == Double(text))
    }
  }

  @Test(arguments: ["", "-", ".", "1.", "e5", "1e", "1e400", "0x10", "inf", "nan", "1 ", "１"])
  func refusesOtherTexts(_ text: String) {
    let number = NumberText.double(Array(text.utf8)[...])
    // A point without digits behind it is not JSON, and a text in CSV may have it.
    #expect(number == (text == "1." ? 1 : nil))
  }

  @Test func wholeNumbersHaveTheirBounds() {
    #expect(NumberText.integer(Array("9223372036854775807".utf8)[...]) == .max)
    #expect(NumberText.integer(Array("-9223372036854775808".utf8)[...]) == .min)
    #expect(NumberText.integer(Array("9223372036854775808".utf8)[...]) == nil)
    #expect(NumberText.integer(Array("1.0".utf8)[...]) == nil)
  }

  @Test func decimalsKeepTheirDigits() {
    let digits = "12345678901234567890.123456789012345678"
    #expect(NumberText.decimal(Array(digits.utf8)[...]) == Decimal(string: digits))
    #expect(NumberText.decimal(Array((digits + "9").utf8)[...]) == Decimal(string: digits + "9"))
    #expect(NumberText.decimal(Array((digits + "99").utf8)[...]) == nil)
    #expect(NumberText.decimal(Array("1e500".utf8)[...]) == nil)
    for text in ["1e100", "1e-127", "123e120", "99999999999999999999999999999999999999e10"] {
      let decimal = Decimal(string: text)
      #expect(decimal != nil)
      // An export writes the description.
      #expect(NumberText.decimal(Array((decimal?.description ?? "").utf8)[...]) == decimal)
    }
    let largest = "340282366920938463463374607431768211455"
    #expect(NumberText.decimal(Array(largest.utf8)[...])?.description == largest)
    #expect(NumberText.decimal(Array("999999999999999999999999999999999999999".utf8)[...]) == nil)
    for text in ["1e200", "1e-200", "1e128"] {
      #expect(NumberText.decimal(Array(text.utf8)[...]) == nil)
    }
  }
}
