// SPDX-License-Identifier: MIT

/// The tables of a history on a server, and the statements about them that know no model.
///
/// Rules:
/// 1. A writer adds a transaction without a number, in its own transaction. Whoever reads gives numbers to those that are
///    committed, in the order of their ranks, one reader at a time. So a number is never below one that a reader knows.
/// 2. A rank is drawn behind the rows of its change set, which the transaction has locked by then. So it is above that of a
///    transaction on which it builds.
/// 3. Entities and properties stand there by their names.
/// 4. Where another server goes on with the numbers, because the database was restored or a standby took over, they jump. A
///    number that only the former server had handed out is then in a gap, or behind the end.
enum HistoryTables {
  static let state = "sporades_history"
  static let transactions = "sporades_transactions"
  static let changes = "sporades_changes"
  static let readers = "sporades_readers"
  /// The sequence of the keys of transactions.
  static let places = "sporades_history_places"
  static let all = [state, transactions, changes, readers]

  static let creation = [
    """
    CREATE TABLE \(state) (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      last bigint NOT NULL,
      last_change bigint NOT NULL,
      deleted bigint NOT NULL,
      server text NOT NULL
    )
    """,
    "CREATE SEQUENCE \(places)",
    """
    CREATE TABLE \(transactions) (
      place bigint PRIMARY KEY,
      rank bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      number bigint,
      first_change bigint,
      changes bigint,
      moment timestamptz NOT NULL DEFAULT clock_timestamp(),
      client uuid NOT NULL,
      author text COLLATE "C",
      context text COLLATE "C",
      bundle text COLLATE "C",
      process text COLLATE "C"
    )
    """,
    "CREATE UNIQUE INDEX \(transactions)_number_key ON \(transactions) (number)",
    "CREATE INDEX \(transactions)_rank_idx ON \(transactions) (rank) WHERE number IS NULL",
    "CREATE INDEX \(transactions)_moment_idx ON \(transactions) (moment)",
    """
    CREATE TABLE \(changes) (
      place bigint NOT NULL,
      id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      kind smallint NOT NULL,
      entity text COLLATE "C" NOT NULL,
      object bigint NOT NULL,
      properties text[] COLLATE "C",
      kept text[] COLLATE "C",
      PRIMARY KEY (place, id)
    )
    """,
    """
    CREATE TABLE \(readers) (
      name text COLLATE "C" PRIMARY KEY,
      number bigint NOT NULL,
      confirmed timestamptz NOT NULL
    )
    """,
    """
    INSERT INTO \(state) (last, last_change, deleted, server) VALUES (0, 0, 0, \(server))
    """,
  ]

  // MARK: - Numbers

  /// What changes when another server goes on: the cluster, its timeline after a takeover, and the table after a restoration.
  private static let server = """
    \(ServerLog.cluster) || '/' || \(ServerLog.line) || '/' || '\(transactions)'::regclass::oid
    """
  /// How many numbers one server hands out at most, as a power of two.
  private static let numbersOfServer = 32

  /// Whether transactions wait for their numbers.
  static let hasUnnumbered =
    "SELECT EXISTS (SELECT 1 FROM \(transactions) WHERE number IS NULL)::int"

  /// Waits until nobody else gives numbers or deletes transactions, until the end of the own transaction.
  static let turn = "SELECT 1 FROM \(state) FOR UPDATE"

  /// Gives numbers to the committed transactions. It comes behind ``turn``, so that it sees what was numbered before.
  static let numbering = """
    WITH fresh AS (
      SELECT place, row_number() OVER ranks AS step, count,
        (sum(count) OVER (ranks ROWS UNBOUNDED PRECEDING) - count)::bigint AS before
      FROM (SELECT place, rank, (SELECT count(*) FROM \(changes) c WHERE c.place = t.place) AS count
        FROM \(transactions) t WHERE number IS NULL) f
      WINDOW ranks AS (ORDER BY rank)
    ), base AS (
      SELECT last_change, CASE server WHEN \(server) THEN last
        ELSE ((last >> \(numbersOfServer)) + 1) << \(numbersOfServer) END AS last FROM \(state)
    ), numbered AS (
      UPDATE \(transactions) t SET number = base.last + step, first_change = base.last_change + before + 1,
        changes = count
      FROM fresh, base WHERE t.place = fresh.place
    )
    UPDATE \(state) SET last = base.last + f.steps, last_change = base.last_change + f.changes, server = \(server)
    FROM base, (SELECT count(*) AS steps, coalesce(sum(count), 0)::bigint AS changes FROM fresh) f WHERE f.steps > 0
    """

  /// The last deleted number and the last number.
  static let ends = "SELECT deleted, last FROM \(state)"

  /// Whether a number is in no gap: it is that of a transaction, or has a later one of its server behind it.
  static let isHandedOut = """
    SELECT EXISTS (SELECT 1 FROM \(transactions) WHERE number >= $1 \
    AND number < (($1 >> \(numbersOfServer)) + 1) << \(numbersOfServer))::int
    """

  // MARK: - Reading

  /// The transactions between two numbers, and behind a moment if there is one.
  static func part(since: Bool) -> String {
    """
    SELECT number, place, first_change, changes, moment, author, context, bundle, process FROM \(transactions) \
    WHERE number > $1 AND number <= $2 \(since ? "AND moment > $4 " : "")ORDER BY number LIMIT $3
    """
  }

  /// The changes of transactions, in their order.
  static let changesOfPart = """
    SELECT c.place, c.kind, c.entity, c.object, c.properties, c.kept FROM \(changes) c WHERE c.place = ANY($1) \
    ORDER BY c.place, c.kind, c.id
    """

  /// The objects that others than a writer changed between two numbers.
  static let changesOfOthers = """
    SELECT DISTINCT t.number, c.kind, c.entity, c.object FROM \(transactions) t JOIN \(changes) c USING (place) \
    WHERE t.number > $1 AND t.number <= $2 AND t.client <> $3 LIMIT $4
    """

  // MARK: - Deleting

  /// The first number that was not made before a moment; null if all were.
  static let firstNotBefore = "SELECT min(number) FROM \(transactions) WHERE moment >= $1"

  /// Deletes the transactions before a number, with their changes. The answer is their number.
  static let deletion = """
    WITH gone AS (DELETE FROM \(transactions) WHERE number < $1 RETURNING place, number), \
    rows AS (DELETE FROM \(changes) c USING gone WHERE c.place = gone.place), \
    ends AS (UPDATE \(state) SET deleted = greatest(deleted, (SELECT max(number) FROM gone))) SELECT count(*) FROM gone
    """

  /// Begins the history anew behind its end. One number is left out, so that each reader is told that it has missed something.
  static let renewal = [
    turn, numbering, "DELETE FROM \(changes)", "DELETE FROM \(transactions)",
    "UPDATE \(state) SET last = last + 1, deleted = last + 1",
  ]

  // MARK: - Readers

  static let namedReaders = "SELECT name, number, confirmed FROM \(readers) ORDER BY name"
  static let confirmation = """
    INSERT INTO \(readers) (name, number, confirmed) VALUES ($1, $2, $3) \
    ON CONFLICT (name) DO UPDATE SET number = excluded.number, confirmed = excluded.confirmed
    """
  static let removalOfReader = "DELETE FROM \(readers) WHERE name = $1"
}
