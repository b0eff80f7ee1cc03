// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import Testing

/// The code in the documentation of contexts that are pinned to one state, and of rows relied on.
@Suite struct GenerationDocumentationTests {
  typealias Author = Bookshop.Author
  typealias Book = Bookshop.Book

  @Test func aReportReadsOneState() throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    var lines: [String] = []
    // snippet: generations
    let report = stack.newContext(name: "report")
    try report.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      lines.append("\(try Book.count(in: context)) books")
    }
    try stack.newContext().performAndWait { context in
      try Book.deleteAll(in: context)
      try context.save()
    }
    try report.performAndWait { context in
      // what was deleted is still there to be read
      lines += try Book.all(sortedBy: \.title, in: context).map(\.title)
      try context.setQueryGeneration(from: nil)
    }
    // snippet end
    #expect(lines == ["2 books", "Emma", "Persuasion"])
    try report.performAndWait { context throws in #expect(try Book.count(in: context) == 0) }
  }

  @Test func aTokenAlignsContexts() throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    let (first, second) = (stack.newContext(), stack.newContext())
    // snippet: generations-token
    let token = try first.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      return context.queryGenerationToken
    }
    try second.performAndWait { context in
      try context.setQueryGeneration(from: token)
    }
    // snippet end
    let counts = try [first, second].map { queue in
      try stack.newContext().performAndWait { context in
        _ = Book.create(in: context)
        try context.save()
      }
      return try queue.performAndWait { try Book.count(in: $0) }
    }
    #expect(counts == [3, 3])
  }

  @Test func whatWasReadIsRelied() throws {
    let folder = try TemporaryFolder()
    let stack = try Bookshop.makeStack(folder)
    try stack.newContext().performAndWait { context in
      let limit = try #require(try Book.first(where: \.title == "Emma", in: context))
      let book = try #require(try Book.first(where: \.title == "Persuasion", in: context))
      // snippet: conflicts-detecting
      context.detectConflicts(for: limit)  // the save fails if somebody changes it meanwhile
      book.pages = limit.pages + 10
      try context.save()
      // snippet end
      #expect(book.pages == 10)
    }
  }
}
