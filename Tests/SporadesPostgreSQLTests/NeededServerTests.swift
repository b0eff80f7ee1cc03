// SPDX-License-Identifier: MIT
import Foundation
import TestServer
import Testing

/// The tests that need a server are skipped where there is none, but not where somebody counts on them.
@Test func aServerIsThereWhereItIsNeeded() {
  let isNeeded = ProcessInfo.processInfo.environment["SPORADES_NEEDS_SERVER"] != nil
  #expect(TestServer.isThere || !isNeeded, "Install PostgreSQL: Scripts/setup --tests")
}
