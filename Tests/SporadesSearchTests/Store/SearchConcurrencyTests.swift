// SPDX-License-Identifier: MIT
import Sporades
import SporadesSearch
import Testing

@Suite struct SearchConcurrencyTests {
  @Test func searchesBesideWritesSeeWholeCommits() async throws {
    let library = try Library()
    try library.service.prepareSearch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var last = 0
          while last < 80 {
            let count = try await library.service.read { context in
              let count = try Article.search("ham").count(in: context)
              let all = try Article.count(in: context)
              return (count, all)
            }
            #expect(count.0 == count.1)
            #expect(count.0 >= last)
            last = count.0
          }
        }
      }
      group.addTask {
        for number in 0..<40 {
          try library.service.writeSync { context in
            for _ in 0..<2 { Article.create(in: context).text = "ham \(number)" }
          }.get()
        }
      }
      try await group.waitForAll()
    }
    #expect(try library.service.searchIndexProblems() == [])
  }
}
