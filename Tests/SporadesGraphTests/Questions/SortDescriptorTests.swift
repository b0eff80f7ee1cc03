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
      let cases: [(SortDescriptor<Ticket>, [Int16])] = [
        (SortDescriptor(\.number, order: .reverse), [4, 3, 2, 1, 0]),
        (SortDescriptor(\.title), [4, 0, 1, 2, 3]),
        (SortDescriptor(\.note), [3, 2, 1, 0, 4]),
        (SortDescriptor(\.owner!.name), [3, 4, 0, 2, 1]),
      ]
      for (descriptor, numbers) in cases {
        let term = try TypedSortTerm(descriptor)
        let found = try Ticket.all(sortedBy: term, .ascending(\.number), in: context)
        #expect(found.numbers == numbers)
      }
    }
  }
}
