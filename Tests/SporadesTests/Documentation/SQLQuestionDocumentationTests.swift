// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import Testing

/// The questions that a program would write SQL for, as the documentation asks them.
@Suite struct SQLQuestionDocumentationTests {
  private typealias Author = Bookshop.Author
  private typealias Book = Bookshop.Book

  private func withBooks(_ body: (ManagedObjectContext) throws -> Void) throws {
    let service = DALService(inMemory: Bookshop.entities)
    try service.writeSync { context in
      let (jane, fanny) = (Author.create(in: context), Author.create(in: context))
      (jane.firstname, jane.lastname) = ("Jane", "Austen")
      (fanny.firstname, fanny.lastname) = ("Fanny", "Burney")
      Author.create(in: context).lastname = "Radcliffe"
      for (title, pages, year, author) in [
        ("Emma", 474, 1815, jane), ("Persuasion", 249, 1817, jane), ("Evelina", 455, 1778, fanny),
      ] {
        let book = Book.create(in: context)
        (book.title, book.pages, book.author) = (title, pages, author)
        book.published =
          DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: TimeZone(identifier: "UTC"),
            year: year, month: 6, day: 1
          ).date
      }
      Book.create(in: context).title = "Anon"
    }.get()
    try service.readValue(body)
  }

  @Test func values() throws {
    try withBooks { context in
      // snippet: sqlValues
      var request = FetchRequest("Book", sortedBy: [SortTerm("title")])

      // 1. SELECT title, pages FROM book ORDER BY title LIMIT 2
      request.propertiesToFetch = ["title", "pages"]
      request.fetchLimit = 2
      let two = try context.fetchDictionaries(request)
      request.fetchLimit = nil

      // 2. SELECT b.title, a.lastname FROM book b LEFT JOIN author a ON a.id = b.author
      request.propertiesToFetch = ["title", "author.lastname"]
      let joined = try context.fetchDictionaries(request)

      // 3. SELECT title, pages / 100 FROM book
      request.propertiesToFetch = [
        ExpressionDescription("hundreds", .arithmetic(.divide, .keyPath("pages"), .constant(100)))
      ]
      let hundreds = try context.fetchDictionaries(request)

      // 4. SELECT CAST(strftime('%Y', published) AS INTEGER) FROM book
      request.propertiesToFetch = [
        ExpressionDescription("year", .function(.year, [.keyPath("published")]))
      ]
      let years = try context.fetchDictionaries(request)

      // 5. SELECT UPPER(title), LENGTH(title) FROM book
      request.propertiesToFetch = [
        ExpressionDescription("loud", .function(.uppercase, [.keyPath("title")])),
        ExpressionDescription("length", .function(.length, [.keyPath("title")])),
      ]
      let loud = try context.fetchDictionaries(request)

      // 6. SELECT CASE WHEN pages > 300 THEN 'long' ELSE 'short' END FROM book
      let size = FetchExpression.conditional(
        .compare("pages", .greater, 300), .constant("long"), .constant("short"))
      request.propertiesToFetch = [ExpressionDescription("size", size)]
      let sizes = try context.fetchDictionaries(request)

      // 7. SELECT DISTINCT author FROM book
      request = FetchRequest("Book")
      request.propertiesToFetch = ["author"]
      request.returnsDistinctResults = true
      let writers = try context.fetchDictionaries(request)

      // 8. SELECT lastname, (SELECT COUNT(*) FROM book WHERE author = a.id) FROM author a
      request = FetchRequest("Author", sortedBy: [SortTerm("lastname")])
      request.propertiesToFetch = ["lastname", "books.@count"]
      let counts = try context.fetchDictionaries(request)
      // snippet end
      #expect(two.map { $0.value("title") } == ["Anon", "Emma"])
      #expect(joined.map { $0.value("author.lastname") } == [nil, "Austen", "Burney", "Austen"])
      #expect(hundreds.map { $0.value("hundreds") } == [0, 4, 4, 2])
      #expect(years.map { $0.value("year") } == [nil, 1815, 1778, 1817])
      #expect(loud.map { $0.value("loud") } == ["ANON", "EMMA", "EVELINA", "PERSUASION"])
      #expect(loud.map { $0.value("length") } == [4, 4, 7, 10])
      #expect(sizes.map { $0.value("size") } == ["short", "long", "long", "short"])
      #expect(writers.count == 3)
      #expect(counts.map { $0.value("books.@count") } == [2, 1, 0])
    }
  }

  @Test func totals() throws {
    try withBooks { context in
      // snippet: sqlTotals
      // 9. SELECT COUNT(*) FROM book WHERE pages > 300
      let long = try Book.count(where: \.pages > 300, in: context)

      // 10. SELECT COUNT(*) > 0 FROM book WHERE author IS NULL
      let hasOrphans = try Book.count(where: \.author == nil, in: context) > 0

      // 11. SELECT SUM(pages) FROM book
      let pages = try Book.sum(\.pages, in: context)

      // 12. SELECT COUNT(*), AVG(pages), MAX(pages) - MIN(pages) FROM book WHERE pages > 0
      var request = FetchRequest("Book", where: .compare("pages", .greater, 0))
      request.propertiesToFetch = [
        ExpressionDescription("count", .objectCount),
        ExpressionDescription("mean", .average(of: "pages")),
        ExpressionDescription("span", .arithmetic(.subtract, .max(of: "pages"), .min(of: "pages"))),
      ]
      let totals = try context.fetchDictionaries(request)[0]

      // 13. SELECT COUNT(author), COUNT(DISTINCT author) FROM book
      request = FetchRequest("Book")
      request.propertiesToFetch = [
        ExpressionDescription("signed", .count(of: "author")),
        ExpressionDescription("authors", .count(ofDistinct: "author")),
      ]
      let signed = try context.fetchDictionaries(request)[0]

      // 14. SELECT MIN(published) FROM book b JOIN author a ON a.id = b.author WHERE a.lastname = 'Austen'
      let first = try Book.min(\.published, where: \.author?.lastname == "Austen", in: context)
      // snippet end
      #expect(long == 2)
      #expect(hasOrphans)
      #expect(pages == 1178)
      #expect(totals.value("count") == 3)
      #expect(totals.value("mean") == 1178.0 / 3)
      #expect(totals.value("span") == 225)
      #expect(signed.value("signed") == 3)
      #expect(signed.value("authors") == 2)
      #expect(first != nil)
    }
  }

  @Test func groups() throws {
    try withBooks { context in
      // snippet: sqlGroups
      var request = FetchRequest("Book")

      // 15. SELECT author, COUNT(*) FROM book GROUP BY author
      let count = ExpressionDescription("count", .objectCount)
      request.propertiesToGroupBy = ["author"]
      request.propertiesToFetch = ["author", count]
      let byAuthor = try context.fetchDictionaries(request)

      // 16. SELECT a.lastname, SUM(b.pages) FROM … GROUP BY a.lastname
      request.propertiesToGroupBy = ["author.lastname"]
      request.propertiesToFetch = [
        "author.lastname", ExpressionDescription("pages", .sum(of: "pages")),
      ]
      let byName = try context.fetchDictionaries(request)

      // 17. … ORDER BY SUM(b.pages) DESC LIMIT 1
      request.sortTerms = [SortTerm("pages", ascending: false)]
      request.fetchLimit = 1
      let busiest = try context.fetchDictionaries(request)

      // 18. … HAVING SUM(b.pages) < 500 AND COUNT(*) = 1
      request = FetchRequest("Book")
      request.propertiesToGroupBy = ["author.lastname"]
      request.propertiesToFetch = [
        "author.lastname", ExpressionDescription("total", .sum(of: "pages")), count,
      ]
      request.havingPredicate = try FetchPredicate(format: "$total < 500 AND $count == 1")
      let small = try context.fetchDictionaries(request)

      // 19. SELECT strftime('%Y', published) / 100, COUNT(*) FROM book GROUP BY 1
      let century = ExpressionDescription(
        "century",
        .arithmetic(.divide, .function(.year, [.keyPath("published")]), .constant(100)))
      request = FetchRequest("Book", where: .compare("published", .notEqual, nil))
      request.propertiesToGroupBy = [century]
      request.propertiesToFetch = [century, count]
      let centuries = try context.fetchDictionaries(request)

      // 20. SELECT CASE WHEN pages > 300 THEN 'long' ELSE 'short' END AS size, COUNT(*) … GROUP BY size
      let size = ExpressionDescription(
        "size",
        .conditional(
          .compare("pages", .greater, 300), .constant("long"), .constant("short")))
      request = FetchRequest("Book")
      request.propertiesToGroupBy = [size]
      request.propertiesToFetch = [size, count]
      let sizes = try context.fetchDictionaries(request)

      // 21. SELECT lastname, pages, COUNT(*) … GROUP BY lastname, pages HAVING COUNT(*) > 1
      request.propertiesToGroupBy = ["author.lastname", "pages"]
      request.propertiesToFetch = ["author.lastname", "pages", count]
      request.havingPredicate = try FetchPredicate(format: "$count > 1")
      let repeated = try context.fetchDictionaries(request)
      // snippet end
      #expect(byAuthor.map { $0.value("count") } == [1, 2, 1])
      #expect(byName.map { $0.value("pages") } == [0, 723, 455])
      #expect(busiest.map { $0.value("author.lastname") } == ["Austen"])
      #expect(small.map { $0.value("author.lastname") } == [nil, "Burney"])
      #expect(centuries.map { $0.value("century") } == [17, 18])
      #expect(sizes.map { $0.value("count") } == [2, 2])
      #expect(repeated.isEmpty)
    }
  }

  @Test func conditions() throws {
    try withBooks { context in
      // snippet: sqlConditions
      // 22. SELECT * FROM author a WHERE NOT EXISTS (SELECT 1 FROM book WHERE author = a.id)
      let idle = try Author.all(where: \.books.isEmpty, in: context)

      // 23. SELECT * FROM author a WHERE EXISTS (SELECT 1 FROM book WHERE author = a.id AND pages > 460)
      let patient = try Author.all(
        where: FetchPredicate(format: "ANY books.pages > 460"), in: context)

      // 24. SELECT * FROM author a WHERE (SELECT COUNT(*) FROM book WHERE author = a.id AND pages < 300) = 1
      let short = FetchExpression.subquery(
        ["books"], "book", .compare("$book.pages", .less, 300), .count)
      let brief = try Author.all(
        where: FetchPredicate.comparison(.init(short, .equal, .constant(1))), in: context)

      // 25. SELECT * FROM book WHERE pages > (SELECT AVG(pages) FROM book)
      let mean = try Book.average(\.pages, in: context) ?? 0
      let thick = try Book.all(
        where: FetchPredicate.compare("pages", .greater, mean), sortedBy: \.title, in: context)

      // 26. SELECT * FROM book WHERE author IN (SELECT id FROM author WHERE lastname LIKE 'B%')
      let some = try Book.all(
        where: FetchPredicate(format: "author.lastname BEGINSWITH 'B'"), in: context)
      // snippet end
      #expect(idle.map(\.lastname) == ["Radcliffe"])
      #expect(patient.map(\.lastname) == ["Austen"])
      #expect(brief.map(\.lastname) == ["Austen"])
      #expect(thick.map(\.title) == ["Emma", "Evelina"])
      #expect(some.map(\.title) == ["Evelina"])
    }
  }

  @Test func orders() throws {
    try withBooks { context in
      // snippet: sqlOrders
      // 27. SELECT * FROM author a ORDER BY (SELECT COUNT(*) FROM book WHERE author = a.id) DESC, lastname
      let busy = try Author.all(sortedBy: "books.@count:NO,lastname", in: context)

      // 28. SELECT * FROM book ORDER BY published NULLS LAST
      let dated = try Book.all(sortedBy: "published nils last", in: context)

      // 29. SELECT * FROM book ORDER BY LENGTH(title) DESC LIMIT 1 OFFSET 1
      let lengthy = try context.fetch(
        Book.self,
        FetchRequest(
          "Book",
          sortedBy: [SortTerm(.function(.length, [.keyPath("title")]), ascending: false)],
          limit: 1, offset: 1))

      // 30. SELECT * FROM book ORDER BY RANDOM() LIMIT 1
      let anyOne = try Book.all(sortedBy: "random()", limit: 1, in: context)
      // snippet end
      #expect(busy.map(\.lastname) == ["Austen", "Burney", "Radcliffe"])
      #expect(dated.map(\.title) == ["Evelina", "Emma", "Persuasion", "Anon"])
      #expect(lengthy.map(\.title) == ["Evelina"])
      #expect(anyOne.count == 1)
    }
  }

  @Test func typedValues() throws {
    try withBooks { context in
      // snippet: sqlTyped
      // 31. SELECT lastname, (SELECT TOTAL(pages) FROM book WHERE author = a.id) FROM author a
      let totals = try Author.sorted(by: \.lastname)
        .pluck(\Author.lastname, (\Author.books).sum(\.pages), in: context)

      // 32. SELECT * FROM author a WHERE (SELECT TOTAL(pages * 2) FROM book WHERE author = a.id) > 1000
      let heavy = try Author.where((\Author.books).sum(\.pages * 2) > 1000).fetch(in: context)

      // 33. … WHERE (SELECT MAX(pages) FROM book WHERE author = a.id AND title LIKE 'E%') > 300
      let thickest = (\Author.books).max(\.pages, where: (\Book.title).hasPrefix("E"))
      let known = try Author.where(thickest > 300).sorted(by: \.lastname).fetch(in: context)

      // 34. SELECT COALESCE(firstname, '?') || ' ' || lastname FROM author
      let names = try Author.sorted(by: \.lastname)
        .pluck(((\Author.firstname) ?? "?") + " " + \.lastname, in: context)

      // 35. SELECT SUBSTR(title, 1, 1), COUNT(*) FROM book GROUP BY 1
      let letters = try Book.request.grouped(by: (\Book.title).prefix(1)) { $0.count }
        .fetch(in: context)

      // 36. SELECT DATE(published, 'start of year'), author, COUNT(*) FROM book GROUP BY 1, 2
      let years = try Book.where(\.published != nil)
        .grouped(by: (\Book.published).startOfYear, \Book.author?.lastname) { $0.count }
        .fetch(in: context)
      // snippet end
      #expect(totals.map(\.0) == ["Austen", "Burney", "Radcliffe"])
      #expect(totals.last?.1 == 0)
      #expect(heavy.map(\.lastname) == ["Austen"])
      #expect(known.map(\.lastname) == ["Austen", "Burney"])
      #expect(names.count == 3 && names[1]?.hasSuffix(" Burney") == true)
      #expect(letters.map(\.0) == ["A", "E", "P"] && letters.map(\.1) == [1, 2, 1])
      #expect(years.map(\.1).reduce(0, +) == 3)
    }
  }
}
