// SPDX-License-Identifier: MIT

/// Stories, and an FTS5 table of their words that keeps its own copy of the texts.
public struct RawStory {
  public let title: String
  public let text: String

  public init(title: String, text: String) { (self.title, self.text) = (title, text) }

  /// The rows that one transaction inserts.
  public static let batch = 4_000
  static let insertion = """
    INSERT INTO ZSTORY (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT) VALUES (?1, 1, 1, ?2, ?3)
    """
  static let indexing = "INSERT INTO WORDS (rowid, title, body) VALUES (?1, ?2, ?3)"

  /// Makes the table of words, in which a word of a title counts four times.
  public static func makeIndex(_ database: borrowing RawDatabase) {
    database.execute(
      "CREATE VIRTUAL TABLE WORDS USING fts5(title, body, tokenize='unicode61 remove_diacritics 2')"
    )
    database.execute("INSERT INTO WORDS (WORDS, rank) VALUES ('rank', 'bm25(4.0, 1.0)')")
  }

  /// Inserts stories and their words, some thousand in a transaction.
  public static func insert(
    _ stories: [RawStory], indexed isIndexed: Bool, into database: borrowing RawDatabase
  ) {
    var keys = RawKeys(database)
    let row = database.prepare(insertion)
    let words = database.prepare(isIndexed ? indexing : "SELECT ?1, ?2, ?3")
    for start in stride(from: 0, to: stories.count, by: batch) {
      let part = stories[start..<min(start + batch, stories.count)]
      database.execute("BEGIN IMMEDIATE")
      let first = keys.reserve(part.count)
      for (offset, story) in part.enumerated() {
        story.run(row, first + Int64(offset))
        if isIndexed { story.run(words, first + Int64(offset)) }
      }
      database.execute("COMMIT")
    }
  }

  /// Gives a story another text, in a transaction of its own for each.
  public static func change(
    _ changes: [(key: Int64, story: RawStory)], in database: borrowing RawDatabase
  ) {
    let begin = database.prepare("BEGIN IMMEDIATE")
    let commit = database.prepare("COMMIT")
    let row = database.prepare(
      "UPDATE ZSTORY SET ZTITLE = ?2, ZTEXT = ?3, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?1")
    let deletion = database.prepare("DELETE FROM WORDS WHERE rowid = ?1")
    let words = database.prepare(indexing)
    for (key, story) in changes {
      begin.run()
      story.run(row, key)
      deletion.bind(1, key)
      deletion.run()
      story.run(words, key)
      commit.run()
    }
  }

  /// Binds the key and the texts to a statement, and runs it.
  private func run(_ statement: borrowing RawStatement, _ key: Int64) {
    statement.bind(1, key)
    var (title, text) = (title, text)
    title.withUTF8 { title in
      text.withUTF8 { text in
        unsafe statement.bind(2, title)
        unsafe statement.bind(3, text)
        statement.run()
      }
    }
  }

  /// The titles, ranks and excerpts of the stories that a search finds, the best first.
  public struct Finder: ~Copyable {
    private let statement: RawStatement

    public init(_ database: borrowing RawDatabase) {
      statement = database.prepare(
        """
        SELECT s.ZTITLE, rank, snippet(WORDS, 1, '[', ']', '…', 16) FROM WORDS \
        JOIN ZSTORY s ON s.Z_PK = WORDS.rowid WHERE WORDS MATCH ?1 ORDER BY rank LIMIT 20
        """)
    }

    public func find(_ expression: String) -> [(title: String, rank: Double, excerpt: String)] {
      var expression = expression
      return expression.withUTF8 { expression in
        unsafe statement.bind(1, expression)
        var found: [(title: String, rank: Double, excerpt: String)] = []
        while statement.step() {
          found.append((statement.text(0), statement.real(1), statement.text(2)))
        }
        statement.reset()
        return found
      }
    }
  }

  /// Sums over the rows, and the numbers of rows in which an index finds words.
  public static func contents(
    _ database: borrowing RawDatabase, index: String, words: [String]
  ) -> [Int64] {
    [
      database.number("SELECT count(*) FROM ZSTORY"),
      database.number("SELECT sum(Z_OPT) FROM ZSTORY"),
      database.number("SELECT sum(length(ZTITLE) * unicode(ZTEXT)) FROM ZSTORY"),
      database.number("SELECT sum(length(ZTEXT)) FROM ZSTORY"),
    ]
      + words.map {
        database.number("SELECT count(*) FROM \(index) WHERE \(index) MATCH '\"\($0)\"'")
      }
  }
}
