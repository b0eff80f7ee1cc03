// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Changes the tables of a store on a server from one version of its model to another, without objects.
///
/// The caller has a transaction, in which the server changes tables as it changes rows: all of it holds, or nothing.
struct ServerMigration {
  let connection: ServerConnection
  let former: ServerFormer
  let options: MigrationOptions
  let old: ServerLayout
  let new: ServerLayout
  let succession: RowSuccession
  let changes: LayoutChanges
  let code: ServerStageCode
  let leftToCode: LeftToCode
  let dialect = PostgreSQLDialect()
  /// The largest key handed out in each old table.
  private let largestKeys: [Int: Int64]
  let progress: MigrationProgress

  init(
    _ connection: ServerConnection, from former: ServerFormer, to new: ServerLayout,
    _ options: MigrationOptions, _ code: ServerStageCode
  ) throws(StoreError) {
    self.connection = connection
    self.former = former
    self.options = options
    self.new = new
    old = try ServerLayout(former.model)
    progress = options.progress ?? MigrationProgress()
    let evolution = ModelEvolution(from: former.model, through: former.between, to: new.model)
    let sameKeys = RowSuccession(Self.side(old), Self.side(new), evolution)
    largestKeys = try Self.largestKeys(sameKeys.old, connection)
    let statements = MigrationStatements(sameKeys, dialect)
    let offsets = try sameKeys.keyOffsets(largest: largestKeys) {
      (piece, other) throws(StoreError) in
      try connection.number(statements.collision(piece, other)) == 1
    }
    succession = RowSuccession(sameKeys, offsets: offsets)
    leftToCode = LeftToCode(succession, code.objects, rowsOf: code.reworked)
    self.code = code
    changes = LayoutChanges(
      succession, keepingOldValuesOf: Array(leftToCode.reworkedRoots), leavesColumns: true)
  }

  static func side(_ layout: ServerLayout) -> MigrationSide {
    MigrationSide(CoreDataLayout(layout.model), layout.layout, ServerMigrationWords())
  }

  var statements: MigrationStatements { MigrationStatements(succession, dialect) }
  var tables: [TableChange] { changes.tables }
  var joins: [JoinChange] { changes.joins }
  var derivedFills: DerivedFills {
    DerivedFills(succession, changes, followingCode: code.rework != nil)
  }

  /// All tables of rows and links of the older version.
  static func tableNames(_ layout: ServerLayout) -> [String] {
    layout.layout.tables.map(\.name) + layout.layout.joins.map(\.name)
  }

  // MARK: - Keys

  private static func largestKeys(
    _ old: MigrationSide, _ connection: ServerConnection
  ) throws(StoreError) -> [Int: Int64] {
    var keys: [Int: Int64] = [:]
    let (counters, row) = (ServerLayout.names.counters, ServerLayout.names.row)
    for place in old.tables {
      let table = old.table(place)
      let name = PostgreSQLDialect().quoted(table.name)
      keys[place] = try connection.run(
        "SELECT GREATEST((SELECT max(\(row.key)) FROM \(name)), "
          + "(SELECT \(counters.maximum) FROM \(counters.table) WHERE \(counters.entity) = $1), 0)",
        [.text(old.model.shape(numbered: table.rootEntity).name)]
      ).integer(0, 0)
    }
    return keys
  }

  /// The largest key of a new table.
  func largestKey(inTable place: Int) -> Int64 {
    succession.pieces(of: place).map {
      (largestKeys[$0.old] ?? 0) + (succession.offsets[$0] ?? 0)
    }.max() ?? 0
  }

  // MARK: - Reasons against it

  /// Throws before anything is changed, if rows or content would be lost.
  func check() throws(StoreError) {
    var problems = try problems()
    var remark: String?
    if refusesLosses {
      let losses = try losses()
      problems += losses.map(refusal.problem)
      remark = self.remark(on: losses)
    }
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems, remark) }
  }

  func problems() throws(StoreError) -> [MigrationProblem] {
    try ServerConversions(succession, connection).fill()
    return try succession.evolution.problems + strangers() + namesInUse()
      + checked(leftToCode: false)
  }

  /// A store whose entities all go belongs to another program, or to a mistake. Its objects are not removed.
  private func strangers() throws(StoreError) -> [MigrationProblem] {
    guard succession.pieces.isEmpty else { return [] }
    for place in succession.old.tables {
      let table = succession.old.table(place)
      guard try connection.number(statements.count(ofTable: table.name)) ?? 0 > 0 else { continue }
      return [
        MigrationProblem(
          .unsupported, entity: succession.old.model.shape(numbered: table.rootEntity).name,
          "No entity of the store is in the program's model, so that all its objects would be removed. Open another "
            + "schema, or give the entities that are meant a renaming identifier.")
      ]
    }
    return []
  }

  /// Tables of other programs that stand in the way.
  private func namesInUse() throws(StoreError) -> [MigrationProblem] {
    let own = Set(Self.tableNames(old))
    let wanted = Self.tableNames(new).filter { !own.contains($0) }
    guard !wanted.isEmpty else { return [] }
    let answer = try connection.run(
      "SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace "
        + "AND c.relname = ANY($1) ORDER BY 1", [.list(.text, wanted.map { .text($0) })])
    return (0..<answer.count).compactMap { answer.text($0, 0) }.map { name in
      MigrationProblem(
        .unsupported, entity: name,
        "The schema has a table or an index \(name) of another program, which stands in the way. Rename or drop it."
      )
    }
  }

  /// The reasons against the migration that code is there to solve.
  func problemsLeftToCode() throws(StoreError) -> [MigrationProblem] {
    try checked(leftToCode: true)
  }

  private func checked(leftToCode isLeft: Bool) throws(StoreError) -> [MigrationProblem] {
    var problems: [MigrationProblem] = []
    for check in MigrationChecks(succession, changes).all
    where leftToCode.includes(check) == isLeft {
      guard var problem = try check.problem(connection) else { continue }
      problem.isLeftToCode = isLeft
      problems.append(problem)
    }
    return problems
  }

  /// The content that the migration removes, either for good or after code has seen it.
  func losses(
    leftToCode isLeft: Bool = false
  ) throws(StoreError) -> [MigrationForecast.Loss] {
    var losses: [MigrationForecast.Loss] = []
    for loss in MigrationLosses(succession).all where leftToCode.includes(loss) == isLeft {
      let count = try connection.number(loss.count.rendered(in: dialect)) ?? 0
      guard count > 0 else { continue }
      losses.append(.init(entity: loss.entity, property: loss.property, count: Int(count)))
    }
    return losses
  }

  var refusesLosses: Bool { !options.allowsLosses(isDeclared: former.isDeclared) }

  var refusal: LossRefusal {
    LossRefusal(evolution: succession.evolution, losses: options.losses)
  }

  /// The remark in an error about content without a place.
  func remark(on losses: [MigrationForecast.Loss]) -> String? {
    guard !losses.isEmpty else { return nil }
    let remarks = [
      former.order?.remark(on: losses), FormerNames.remark(succession.evolution),
    ].compactMap(\.self)
    return remarks.isEmpty ? nil : remarks.joined(separator: " ")
  }
}

extension MigrationCheck {
  private static let listedKeys = 5

  /// The problem with its number of rows and the first of them; nil if no row has it.
  func problem(_ connection: ServerConnection) throws(StoreError) -> MigrationProblem? {
    let dialect = PostgreSQLDialect()
    let count = try connection.number(count(dialect)) ?? 0
    guard count > 0 else { return nil }
    let answer = try connection.run(firstKeys(Self.listedKeys, dialect))
    let keys = (0..<answer.count).compactMap { answer.integer($0, 0) }
    return MigrationProblem(
      kind, entity: entity, property: property, count: Int(count), keys: keys,
      sentence.text(count))
  }
}

extension ServerConnection {
  /// Throws if rows have problems.
  func refuse(_ checks: [MigrationCheck]) throws(StoreError) {
    var problems: [MigrationProblem] = []
    for check in checks {
      if let problem = try check.problem(self) { problems.append(problem) }
    }
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems) }
  }

  /// The whole number that a statement answers.
  func number(_ statement: SQLStatement) throws(StoreError) -> Int64? {
    let answer = try run(statement)
    return answer.count == 0 ? nil : answer.integer(0, 0)
  }
}
