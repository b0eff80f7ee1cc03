// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import Testing

/// The form of values in messages and logs.
@Suite struct ValueTextTests {
  static let texts: [(Value, String)] = [
    (nil, "nil"), (true, "true"), (7, "7"), (0.5, "0.5"), (.decimal(Decimal(12)), "12"),
    ("a \"b\"", #""a \"b\"""#), (.data(Data([1, 2, 3])), "3 bytes"), (.data(Data([1])), "1 byte"),
    (.date(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01 00:00:00 +0000"),
    (
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      "01020304-0506-0708-090A-0B0C0D0E0F10"
    ), ([1, ["x", nil]], #"[1, ["x", nil]]"#),
  ]

  @Test(arguments: texts) func aValueIsShownAsAPersonWouldWriteIt(_ value: Value, _ text: String) {
    #expect(value.debugDescription == text)
    #expect("\([value])" == "[\(text)]")
  }
}
