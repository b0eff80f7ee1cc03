// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Mistakes that people make in questions, and the sentence that leads to the fix.
@Suite struct QuestionMistakeTests {
  @Test(arguments: [
    ("title NOT IN %@", "NOT stands before a comparison, not inside it; write NOT title IN …."),
    ("title NOT LIKE 'a*'", "write NOT title LIKE …."),
    ("owner.name NOT CONTAINS[cd] 'a'", "write NOT owner.name CONTAINS …."),
    ("title NOT 'a'", "NOT stands before a comparison; write NOT title == … or title != …."),
    ("title IS NULL", "write title == nil for IS NULL, and title != nil for IS NOT NULL."),
    ("title is not null", "write title == nil for IS NULL, and title != nil for IS NOT NULL."),
    ("number === 3", "=== is not an operator; write ==, !=, <, <=, > or >=."),
    ("number =! 3", "=! is not an operator; write ==, !="),
    ("number !== 3", "!== is not an operator; write ==, !="),
    ("title STARTSWITH 'a'", "STARTSWITH is not an operator; write BEGINSWITH."),
    ("title ilike 'a'", "ILIKE is not an operator; write LIKE[c]."),
    ("title REGEXP 'a'", "REGEXP is not an operator; write MATCHES."),
    ("title RESEMBLES 'a'", "RESEMBLES is not an operator; write ==, !=, <, <=, >, >=, IN,"),
    ("title = 'a' title = 'b'", "Nothing can follow here; join conditions by AND or OR."),
    ("title = 'a' AN title = 'b'", "Nothing can follow here; join conditions by AND or OR."),
    ("title = 'a' ORDER BY number", "A condition has no order. Give the fetch one: sortedBy:."),
    ("title = 'a' LIMIT 3", "A condition has no bounds. Give them to the fetch: limit:, offset:."),
    ("WHERE title = 'a'", "WHERE begins no condition; leave it out."),
    ("EVERY steps.text == 'a'", "EVERY begins no condition; write ALL."),
    ("lower(title) == 'a'", "lower() is not a function; write lowercase(…), or ==[c]."),
    ("isActive AND number > 1", "write isActive == YES for a truth value."),
    ("isActive", "write isActive == YES for a truth value."),
    ("number BETWEEN 1 AND 5", "BETWEEN takes a list of two values; write BETWEEN {1, 5}."),
    ("number IN (1, 2)", "A list is written in braces: {1, 2}."),
    ("number IN [1, 2]", "A list is written in braces: {1, 2}."),
    ("title == “a”", "The character “ does not begin a text; write ' or \"."),
    ("title == ?", "the placeholder of an argument is %@."),
    ("title == :name", "A variable is written $NAME, and %@ stands for an argument."),
    ("number ≠ 3", "write !=."),
    ("number == 3;", "a format holds one condition and no end mark."),
    ("title ==", "The format ends here, and a value is missing."),
    (
      "title == 'a",
      "The text that begins here has no end; close it with '. A value that may contain quotes is an argument: "
        + "\"name == %@\"."
    ),
    (
      "SUBQUERY(steps, s, s.text == 'a').@count > 0",
      "The variable of the subquery is missing here, such as $x."
    ),
    ("title ==[l] 'a'", "use [cd]."),
    ("(title == 'a'", ") is missing here."),
    ("title & 'a'", "Join conditions by && or AND."),
    ("title ~ 'a'", "~ is not an operator; write title CONTAINS …, title LIKE … with * and ?, or"),
    (
      "select * from user", "A condition is no statement of SQL; write only what would stand behind"
    ),
    ("SELECT title FROM ticket", "SELECT begins no condition; a predicate is only the condition"),
    ("DELETE FROM ticket", "a condition changes nothing; see User.where(…).delete()"),
  ])
  func aFormatThatIsNoneSaysWhatToWrite(format: String, sentence: String) {
    let error = #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: format, []) }
    #expect(error?.detail.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test func theErrorMarksThePlaceAndShowsNoText() throws {
    let error = #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: "note == 'a secret' AND\n title NOT IN %@", ["a"])
    }
    #expect(
      error?.description == """
        The predicate's format, after 30 characters:
          note == '…' AND  title NOT IN %@
                                 ^
        NOT stands before a comparison, not inside it; write NOT title IN ….
        """)
    let long = String(repeating: "number == 1 OR ", count: 20) + "x y"
    let excerpt = #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: long) }?
      .excerpt
    let lines = try #require(excerpt).split(separator: "\n")
    #expect(lines.count == 2 && lines[0].count < 100)
    #expect(lines[0].hasSuffix(" x y") && lines[1].last == "^")
    #expect(lines[0].count == lines[1].count)
  }

  @Test(arguments: [
    ("title.length == 2", "length:(title)"), ("due.year == 1970", "year:(due)"),
    ("number.length == 2", "has no member length"),
  ])
  func aMemberOfAnAttributeIsAFunction(format: String, remedy: String) throws {
    try Workshop.open(.memory) { context in
      let error = #expect(throws: FetchPredicateError.self) {
        try Ticket.all(where: FetchPredicate(format: format), in: context)
      }
      #expect(error?.description.contains(remedy) == true, "\(String(describing: error))")
    }
  }

  @Test func argumentsThatDoNotFitAreNamed() {
    func refusal(_ format: String, _ arguments: Any?...) -> String {
      let error = #expect(throws: FetchPredicateError.self) {
        try FetchPredicate(format: format, argumentArray: arguments)
      }
      #expect(error?.code == .arguments)
      return error?.detail ?? ""
    }
    #expect(
      refusal("title == '%@'", "a").hasSuffix(
        "A placeholder in quotes is text; write it without the quotes."))
    #expect(
      refusal("title == %@ AND number == %d", "a").contains("This placeholder has no argument"))
    #expect(
      refusal("number == %d", "3").hasPrefix(
        "%d takes a whole number, and its argument is text. Pass a whole number for a property with such values;"
      ))
    #expect(
      refusal("title == %s", 3).hasPrefix("%s takes text, and its argument is a whole number."))
    #expect(refusal("number == %d", 1.5).contains("its argument is a number with a fraction."))
    #expect(
      refusal("title == %@", Workshop.self).hasPrefix("A predicate can not compare a value of type")
    )
    #expect(refusal("number > %@", 1...5).contains("write age BETWEEN %@."))
    #expect(refusal("number == %@", UInt64.max).contains("of type UInt64"))
    #expect(
      refusal("%K == 1", 3).contains("%K takes the text of a key path, such as \"owner.name\"."))
  }

  @Test(arguments: [
    ("titel == 'a'", "Ticket has no property titel. The nearest name is title."),
    ("colour == 'a'", "Ticket has no property colour. It has"),
    ("Title == 'a'", "Ticket has no property Title, but it has title."),
    ("title == Rex", "If Rex is a text, write it in quotes or pass it as the argument of %@."),
    ("owner.nam == 'a'", "In owner.nam: Worker has no property nam."),
    ("steps.count > 3", "steps has no count; write steps.@count for the number of objects."),
    ("steps.text == 'a'", "steps.text leads to many objects; write ANY, ALL or NONE before the"),
    ("steps == nil", "write steps.@count == 0 for no objects."),
    ("ANY title == 'a'", "title leads to one value, so leave the word out."),
    ("number == '3'", "is text. Pass a number, or write it without quotes."),
    ("title == 3", "Pass a text, or write it in quotes."),
    (
      "isActive == 'true'",
      "Its left side is a truth value, and its right side is text. Write YES or NO, or pass a Bool."
    ),
    ("owner == 'Ann'", "Pass an object or its id as the argument of %@."),
    ("due > '2024-01-01'", "Pass a Date as the argument of %@."),
    ("number IN 3", "Its right side must be a list, such as {1, 2} or an array for %@"),
    ("number CONTAINS 3", "Both its sides must be text; compare other values with ==, < or IN."),
    ("number == {1, 2}", "Its right side is a list; use IN or BETWEEN."),
    ("number BETWEEN {1}", "must be a list of two values; write BETWEEN {1, 5}."),
    ("title == $NAME", "The variable $NAME has no value; substitute a value before the fetch."),
    (
      "SUBQUERY(steps, $s, $t.text == 'a').@count > 1",
      "$t has no value, and is not the variable of this subquery, which is $s."
    ),
    (
      "SUBQUERY(watchers, $w, SUBQUERY($w.tickets, $t, $x.title == 'a').@count > 1).@count > 1",
      "which is $t. Those around it are $w, $t."
    ),
    ("watchers CONTAINS 'Ann'", "Write ANY watchers.name == …, or ANY watchers.name CONTAINS …"),
    ("'Ann' IN watchers", "watchers leads to objects of Worker, and a text is none of them."),
  ])
  func aFormatThatDoesNotFitTheModelSaysWhatToWrite(format: String, sentence: String) throws {
    let predicate = try FetchPredicate(format: format)
    try Workshop.open(.sqlite) { context in
      let fetched = #expect(throws: FetchPredicateError.self) {
        try Ticket.all(where: predicate, in: context)
      }
      #expect(fetched?.detail.contains(sentence) == true, "\(fetched?.detail ?? "")")
      let ticket = try #require(try Ticket.first(in: context))
      let evaluated = #expect(throws: FetchPredicateError.self) {
        try predicate.evaluate(with: ticket)
      }
      #expect(evaluated == fetched)
    }
  }

  @Test func typedQuestionsThatNoStoreAnswersSayWhatToWrite() throws {
    try Workshop.open(.memory) { context in
      func refuses<Output>(
        _ sentence: String, _ body: () throws -> Output,
        at location: SourceLocation = #_sourceLocation
      ) {
        let error = #expect(throws: FetchPredicateError.self, sourceLocation: location) {
          _ = try body()
        }
        #expect(
          error?.detail.contains(sentence) == true, "\(error?.detail ?? "")",
          sourceLocation: location)
      }
      refuses("state is an enum, so compare it with a case: \\.state == .someCase.") {
        try Ticket.all(where: \.state.rawValue == "open", in: context)
      }
      refuses("Keep the number in a derived attribute, @Derived(\"steps.@count\").") {
        try Ticket.all(sortedBy: \.steps.count, in: context)
      }
      refuses("reads a member of owner.tickets behind an optional, where it may be nil. Write !") {
        try Ticket.all(where: \.owner?.tickets.count > 1, in: context)
      }
      refuses("goes on behind title, to a value of type Int that is no stored property") {
        try Ticket.all(where: \.title.count > 3, in: context)
      }
      refuses("isEmpty can only be compared by == and !=.") {
        try Ticket.all(where: \.steps.isEmpty ~= [true], in: context)
      }
      refuses("names no property before its colon") { try Ticket.all(sortedBy: ":NO", in: context) }
      refuses("The direction \"up\"") { try Ticket.all(sortedBy: "title:up", in: context) }
      refuses("has the option l; the options are c, d and n") {
        try Ticket.all(sortedBy: "title[l]", in: context)
      }
      refuses("has incomplete options; write them as in \"lastname[cd]\"") {
        try Ticket.all(sortedBy: "title[c", in: context)
      }
      refuses("owner is a relationship; sort by an attribute that it leads to, such as owner.name.")
      {
        try Ticket.all(sortedBy: \.owner, in: context)
      }
    }
  }

  @Test func requestsThatDoNotFitTheModelSayWhatItHas() throws {
    try Workshop.open(.memory) { context in
      func refusal(
        at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
      ) -> String {
        do {
          try body()
        } catch {
          return "\(error)"
        }
        Issue.record("Nothing was refused.", sourceLocation: location)
        return ""
      }
      #expect(
        refusal { _ = try context.fetch(FetchRequest("Tickets")) }
          == "The model has no entity Tickets. It has Step, Ticket, Worker.")
      #expect(
        refusal { _ = try context.insert(entityNamed: "ticket") }
          == "The model has no entity ticket. It has Step, Ticket, Worker.")
      #expect(
        refusal { _ = try context.fetch(template: "urgent") }
          == "The model has no fetch request template urgent. It has none.")
      for name in ["title:NO", "-title", "title desc"] {
        let request = FetchRequest("Ticket", sortedBy: [SortTerm(name)])
        #expect(
          refusal { _ = try context.fetch(request) }
            == "\"\(name)\" is not the name of a property. Write \"title:NO\" where the order is a text, and "
            + "SortTerm(\"title\", ascending: false) where it is a term.")
      }
      let text = refusal { _ = try context.aggregate(.sum, of: "title", FetchRequest("Ticket")) }
      #expect(text.hasPrefix("There is no sum of Ticket.title, which is text."))
      let template = try FetchPredicate(format: "owner == $WHO AND state == $STATE")
      let ann = try #require(try Worker.first("name", equalTo: "Ann", in: context))
      let bound = template.substituting(["WHO": ann, "STATE": TicketState.open])
      #expect(try Ticket.all(where: bound, in: context).numbers == [0])
      let wrong = template.substituting(["WHO": Workshop.self, "STATE": nil])
      #expect(refusal { _ = try Ticket.count(where: wrong, in: context) }.contains("Workshop.Type"))
    }
  }

  @Test func valuesThatAnAttributeCanNotHoldFailTheirCheck() throws {
    try Workshop.open(.memory) { context in
      let ticket = try #require(try Ticket.first(in: context))
      func refusal(_ value: Value, _ name: String) -> ValidationError? {
        #expect(throws: ValidationError.self) { try ticket.validateValue(value, forKey: name) }
      }
      let large = refusal(70_000, "number")
      #expect(large?.code == .numberTooLarge)
      #expect(
        large?.description.hasSuffix(
          ".number: can not take 70000, which does not lie between -32768 and 32767. Check the number "
            + "first, or give the attribute a wider type.") == true)
      #expect(refusal(-70_000, "number")?.code == .numberTooSmall)
      let text = refusal("7", "number")
      #expect(text?.code == .generic)
      #expect(text?.description.hasSuffix("can not take text. Convert the value first.") == true)
      try ticket.validateValue(7, forKey: "number")
      try ticket.validateValue(nil, forKey: "note")
    }
  }

  @Test func boundsThatNoFinderCanHaveAreNamed() throws {
    try Workshop.open(.memory) { context in
      let limit = #expect(throws: ContextError.self) { try Ticket.all(limit: -1, in: context) }
      #expect(
        limit?.description == "A fetch request for Ticket has the fetchLimit -1; write nil for no "
          + "limit, or 0 for no results.")
      let offset = #expect(throws: ContextError.self) { try Ticket.all(offset: -2, in: context) }
      #expect(offset?.description.contains("has the fetchOffset -2; write 0") == true)
    }
  }

  static func withTicket(_ body: (Ticket) throws -> Void) throws {
    try Workshop.open(.memory) { try body(Ticket.create(in: $0)) }
  }

  @Test func wrongValuesByKeyTrapWithTheirFix() async {
    func stands(
      _ result: ExitTest.Result?, _ sentence: String, at location: SourceLocation = #_sourceLocation
    ) {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains(sentence), "\(text)", sourceLocation: location)
    }
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue(70_000, forKey: "number") }
      },
      "Ticket.number has the type integer16 and can not take 70000, which does not lie between "
        + "-32768 and 32767. Check the number first, or give the attribute a wider type.")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue(1.5, forKey: "number") }
      }, "can not take 1.5, which is no whole number of 64 bits. Round it first")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue("7", forKey: "number") }
      }, "Ticket.number has the type integer16 and can not take text. Convert the value first.")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue("Ann", forKey: "owner") }
      }, "was set to text, but it is a to-one relationship. Set an object, its id or nil.")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue($0, forKey: "watchers") }
      }, "but it is a to-many relationship. Set an array or a set of objects, or use add(_:to:).")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue(Workshop.self, forKey: "title") }
      },
      "Ticket.title was set to a value of type Workshop.Type, which can not be set by key. Set a ")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue(1, forKey: "Number") }
      }, "Ticket has no property Number, but it has number.")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { try $0.validateValue(nil, forKey: "titel") }
      }, "Ticket has no property titel. The nearest name is title.")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { _ = $0.object(forKey: "watchers") }
      }, "Ticket.watchers is a to-many relationship. Use objects(forKey:), setObjects(_:forKey:),")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setObjects([], forKey: "title") }
      }, "Ticket.title is an attribute. Use value(forKey:) and setValue(_:forKey:).")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.add($0, to: "owner") }
      }, "Ticket.owner is a to-one relationship. Use object(forKey:) and setObject(_:forKey:).")
    stands(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try QuestionMistakeTests.withTicket { $0.setValue($0, forKey: "owner") }
      }, "Ticket.owner leads to Worker and was set to a Ticket. Set an object of Worker or of an")
  }
}
