// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesFoundation
import SporadesGraph
import SporadesModel
import Testing

@Suite struct SortDescriptorTests {
  @Test(arguments: StoreKind.allCases)
  func sortDescriptorsAreTerms(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      func numbers(_ descriptor: SortDescriptor<Ticket>) throws -> [Int16] {
        try Ticket.all(
          sortedBy: TypedSortTerm(descriptor), .ascending(\.number), in: context
        ).numbers
      }
      #expect(try numbers(SortDescriptor(\.number, order: .reverse)) == [4, 3, 2, 1, 0])
      #expect(try numbers(SortDescriptor(\.title)) == [4, 0, 1, 2, 3])
      #expect(try numbers(SortDescriptor(\.note)) == [3, 2, 1, 0, 4])
      #expect(try numbers(SortDescriptor(\.owner!.name)) == [3, 4, 0, 2, 1])
    }
  }
}
