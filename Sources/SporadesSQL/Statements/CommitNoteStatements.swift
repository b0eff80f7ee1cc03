// SPDX-License-Identifier: MIT

/// The statements about the notes of commits over several stores, which lie beside Core Data's tables. Core Data leaves
/// them alone.
package struct CommitNoteStatements: Sendable {
  /// The parts that other stores must have. A part is cut into pieces, since a value of SQLite has a limit.
  package static let intents = "SPORADES_INTENT"
  /// The commits of which this store has its part.
  package static let finished = "SPORADES_FINISHED"
  private let dialect: any SQLDialect

  package init(_ dialect: any SQLDialect) { self.dialect = dialect }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  // MARK: - Intents

  /// Creates the table of intents if it is missing.
  package var createIntents: SQLStatement {
    rendered(
      """
      CREATE TABLE IF NOT EXISTS \(name: Self.intents) \
      ( COMMITID VARCHAR, STORE VARCHAR, PLACE INTEGER, MADE FLOAT, BYTES BLOB )
      """)
  }

  /// Selects the commits, stores, moments and pieces, in the order in which they were added.
  package var allIntents: SQLStatement {
    rendered("SELECT COMMITID, STORE, MADE, BYTES FROM \(name: Self.intents) ORDER BY rowid")
  }

  /// Selects the commits and stores.
  package var intentTargets: SQLStatement {
    rendered("SELECT DISTINCT COMMITID, STORE FROM \(name: Self.intents)")
  }

  /// Adds a piece of a part.
  package func addIntent(
    _ commit: String, _ store: String, _ place: Int, madeAt seconds: Double, _ bytes: [UInt8]
  ) -> SQLStatement {
    rendered(
      """
      INSERT INTO \(name: Self.intents) (COMMITID, STORE, PLACE, MADE, BYTES) \
      VALUES (\(.text(commit)), \(.text(store)), \(.integer(Int64(place))), \(.real(seconds)), \
      \(.blob(bytes)))
      """)
  }

  /// Removes all parts of a commit. Rows that name no commit belong to the one without a name.
  package func removeIntents(_ commit: String) -> SQLStatement {
    rendered(
      "DELETE FROM \(name: Self.intents) WHERE IFNULL(COMMITID, '') = \(.text(commit))")
  }

  // MARK: - Finished commits

  /// Creates the table of finished commits if it is missing.
  package var createFinished: SQLStatement {
    rendered(
      "CREATE TABLE IF NOT EXISTS \(name: Self.finished) ( COMMITID VARCHAR PRIMARY KEY )")
  }

  /// Counts the rows of a finished commit.
  package func count(_ commit: String) -> SQLStatement {
    rendered("SELECT COUNT(*) FROM \(name: Self.finished) WHERE COMMITID = \(.text(commit))")
  }

  /// Adds a finished commit.
  package func addFinished(_ commit: String) -> SQLStatement {
    rendered("INSERT OR REPLACE INTO \(name: Self.finished) (COMMITID) VALUES (\(.text(commit)))")
  }

  /// Removes a finished commit.
  package func removeFinished(_ commit: String) -> SQLStatement {
    rendered("DELETE FROM \(name: Self.finished) WHERE COMMITID = \(.text(commit))")
  }
}
