// SPDX-License-Identifier: MIT
import Foundation
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

  /// Without an index, the texts are searched by a function of SQL, on whichever connection answers.
  @Test func searchesInTextsAnswerOnEachConnection() async throws {
    let library = try Library()
    for number in 0..<20 { try library.add("\(number)", number % 2 == 0 ? "ham" : "eggs") }
    try library.service.close()
    let folder = library.folder
    let service = DALService {
      var options = SQLiteStoreOptions()
      options.isReadOnly = true
      return try DataStack(
        sqlite: folder.appendingPathComponent("store.sqlite"),
        entities: [Article.self, Author.self], options: options)
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<60 {
        group.addTask {
          try await service.read { context in
            let search = Article.search(number % 2 == 0 ? "ham" : "egg*")
            return try search.fetch(in: context).count + search.count(in: context)
          }
        }
      }
      for try await count in group { #expect(count == 20) }
    }
    try service.close()
  }
}
