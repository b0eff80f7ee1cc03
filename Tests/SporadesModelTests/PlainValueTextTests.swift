// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import Testing

@Suite struct PlainValueTextTests {
  @Test func aTextInATextIsPlain() {
    let value = Value.string("a \"b\"")
    #expect("\(value)" == "a \"b\"")
    #expect(String(describing: value) == "a \"b\"")
    #expect(String(reflecting: value) == #""a \"b\"""#)
    #expect("\([value, 1])" == #"["a \"b\"", 1]"#)
    #expect("\(Value.list([value, .null]))" == #"["a \"b\"", nil]"#)
    #expect(
      "\(Value.decimal(Decimal(5) / 2)) \(Value.null) \(Value.boolean(true))" == "2.5 nil true")
  }
}
