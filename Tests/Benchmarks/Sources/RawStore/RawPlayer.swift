// SPDX-License-Identifier: MIT

/// A row of `ZPLAYER` as plain values: what a program without a library keeps of it.
@frozen
public struct RawPlayer {
  public var id: Int64
  public var firstName: String
  public var lastName: String
  public var email: String
  public var age: Int64
  public var score: Double
  public var isActive: Bool
  /// Seconds since 2001.
  public var createdAt: Double
  public var team: Int64

  @inlinable
  public init(
    id: Int64, firstName: String, lastName: String, email: String, age: Int64, score: Double,
    isActive: Bool, createdAt: Double, team: Int64
  ) {
    self.id = id
    self.firstName = firstName
    self.lastName = lastName
    self.email = email
    self.age = age
    self.score = score
    self.isActive = isActive
    self.createdAt = createdAt
    self.team = team
  }
}

extension RawPlayer {
  /// Reads all nine columns in the order in which they lie in the row, so that SQLite walks each
  /// record once.
  public static let select = """
    SELECT Z_PK, ZACTIVE, ZAGE, ZTEAM, ZCREATEDAT, ZSCORE, ZEMAIL, ZFIRSTNAME, ZLASTNAME \
    FROM ZPLAYER
    """

  /// The row a statement made of ``select`` stands on.
  @inlinable
  public init(_ row: borrowing RawStatement) {
    self.init(
      id: row.integer(0), firstName: row.text(7), lastName: row.text(8), email: row.text(6),
      age: row.integer(2), score: row.real(5), isActive: row.integer(1) != 0,
      createdAt: row.real(4), team: row.integer(3))
  }

  /// All rows a statement made of ``select`` answers.
  ///
  /// The array grows as it is filled: a count beforehand would cost more than the moves it saves.
  @inlinable
  public static func all(_ statement: borrowing RawStatement) -> [RawPlayer] {
    var players: [RawPlayer] = []
    while statement.step() { players.append(RawPlayer(statement)) }
    statement.reset()
    return players
  }
}

extension RawPlayer {
  /// Entity 1, version 1: what Core Data writes for a new object.
  public static let insertion = """
    INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZACTIVE, ZAGE, ZTEAM, ZCREATEDAT, ZSCORE, ZEMAIL, \
    ZFIRSTNAME, ZLASTNAME) VALUES (?1, 1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """

  /// Inserts the row with a statement made of ``insertion``. The texts are bound where they lie,
  /// without copies, and so the step is taken while they are borrowed. A statement whose rows all lack a team keeps the
  /// null that it begins with.
  @inlinable
  public func insert(with statement: borrowing RawStatement, inTeam: Bool = true) {
    statement.bind(1, id)
    statement.bind(2, Int64(isActive ? 1 : 0))
    statement.bind(3, age)
    if inTeam { statement.bind(4, team) }
    statement.bind(5, createdAt)
    statement.bind(6, score)
    var (first, last, email) = (firstName, lastName, email)
    first.withUTF8 { first in
      last.withUTF8 { last in
        email.withUTF8 { email in
          unsafe statement.bind(7, email)
          unsafe statement.bind(8, first)
          unsafe statement.bind(9, last)
          statement.run()
        }
      }
    }
  }
}
