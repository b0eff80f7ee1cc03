// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesModel

@Suite struct LaunchArgumentTests {
  @Test(arguments: [
    (["app"], LaunchArgument.missing), (["app", "-Debug", "1"], .level(1)),
    (["app", "-Debug", "3", "-Other", "1"], .level(3)), (["app", "-Debug", "YES"], .level(1)),
    (["app", "-Debug", "true"], .level(1)), (["app", "-Debug", "no"], .level(0)),
    (["app", "-Debug", "0"], .level(0)), (["app", "-Debug", "-1"], .level(-1)),
    (["app", "-Debug", "loud"], .unknown("loud")), (["app", "-Debug"], .unknown("")),
    (["app", "Debug", "1"], .missing),
  ])
  func aSwitchIsRead(arguments: [String], expected: LaunchArgument) {
    let argument = LaunchArgument("-Debug", in: arguments)
    #expect(argument == expected)
    #expect(argument.isOn == [.level(1), .level(3)].contains(expected))
  }
}
