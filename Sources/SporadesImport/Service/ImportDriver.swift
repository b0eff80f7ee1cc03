// SPDX-License-Identifier: MIT
import SporadesDAL
import SporadesGraph
import SporadesModel
import SporadesStore

/// Carries out an import on a service.
///
/// Each batch is a write of its own, so that memory holds the objects of one batch. A write that the store refuses is
/// taken apart until the bad rows are alone.
struct ImportDriver {
  let service: DALService
  let settings: ImportSettings
  let shape: EntityShape
  private var session: ImportSession
  private let report: @Sendable (ImportProgress) -> Void
  private let feed: RecordFeed

  init(
    _ service: DALService, _ settings: ImportSettings, _ shape: EntityShape,
    _ model: ManagedObjectModel, _ report: @escaping @Sendable (ImportProgress) -> Void
  ) throws(ImportError) {
    self.service = service
    self.settings = settings
    self.shape = shape
    self.report = report
    let table = try PlanCompiler.compile(
      shape, model, settings.rules, uniquedBy: settings.uniquedBy)
    if settings.deletesMissing != nil, table.plans[0].lookup == nil {
      throw ImportError(
        .request,
        "Objects of \(shape.name) that the input does not have can be deleted only where a key tells objects apart; name "
          + "one in uniquedBy.")
    }
    feed = try RecordFeed(settings)
    session = ImportSession(table, settings, totalBytes: feed.totalBytes)
  }

  mutating func run() async throws(ImportError) -> ImportReport {
    do {
      try await readCandidates()
      if settings.refusesAll || settings.isDryRun {
        try await runWhole()
      } else {
        try await runInBatches()
      }
      report(session.report.counts)
      return session.finishedReport
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> ImportError {
    var failure =
      switch error {
      case let error as ImportError: error
      case is CancellationError: Self.cancellation
      case let error as DALError:
        if let refusal = error.blockError as? ImportError {
          refusal
        } else if case .cancelled = error.code {
          Self.cancellation
        } else {
          ImportError(.store, "\(service.reportThrown(error))", underlying: error)
        }
      default:
        ImportError(
          .store, "The source of the records failed: \(error.ownDescription)", underlying: error)
      }
    failure.report = session.finishedReport
    return failure
  }

  private static var cancellation: ImportError {
    ImportError(.cancelled, "The import was cancelled. What its report counts was written.")
  }

  /// Notes the objects that are deleted in the end if no row is about them.
  private mutating func readCandidates() async throws {
    guard let predicate = settings.deletesMissing else { return }
    let name = shape.name
    let ids = try await service.read { context in
      try context.fetchIDs(FetchRequest(name, where: predicate))
    }
    for id in ids { session.candidates[id.key.identity] = id }
  }

  // MARK: - In batches

  private mutating func runInBatches() async throws {
    var own = self
    defer { session = own.session }
    try await feed.readAhead { batch in
      try Task.checkCancellation()
      try await own.save(batch, 0..<batch.records.count)
      own.session.finish(batch)
      own.report(own.session.report.counts)
    }
    let missing = own.session.missing()
    var place = 0
    while place < missing.count {
      let some = Array(missing[place..<min(place + 1000, missing.count)])
      try Task.checkCancellation()
      own.session.report.counts.deleted += try await write { try Self.delete(some, in: $0) }
      place += some.count
    }
  }

  /// Saves a range of a batch's rows.
  private mutating func save(_ batch: RecordBatch, _ range: Range<Int>) async throws {
    // A batch without records has columns to check.
    guard !range.isEmpty || batch.records.isEmpty else { return }
    do {
      session.add(try await attempt(batch, range, checksEachRow: false))
    } catch let error as DALError where error.isAboutRows {
      try await divide(batch, range, error)
    }
  }

  /// Saves a range of rows after a refusal that names none of them.
  private mutating func divide(
    _ batch: RecordBatch, _ range: Range<Int>, _ error: DALError
  ) async throws {
    var error = error
    // A store refuses what the model allows, so that checks of single objects find nothing.
    if !error.isOfStore {
      do {
        return session.add(try await attempt(batch, range, checksEachRow: true))
      } catch let later as DALError where later.isAboutRows {
        error = later
      }
    }
    guard range.count > 1 else {
      let record = batch.records[range.lowerBound]
      return session.add([
        ImportFailure(row: record.row, place: batch.place(of: record.start), reason: "\(error)")
      ])
    }
    let middle = range.lowerBound + range.count / 2
    try await save(batch, range.lowerBound..<middle)
    try await save(batch, middle..<range.upperBound)
  }

  /// Saves the rows of a range that are not refused. A refusal of the save that leads to rows is one of these rows.
  private func attempt(
    _ batch: RecordBatch, _ range: Range<Int>, checksEachRow: Bool
  ) async throws -> RowsOutcome {
    var refused: [Int: ImportFailure] = [:]
    var constraints: Set<BrokenConstraint> = []
    while true {
      let (table, settings, seen) = (session.table, session.settings, session.seen)
      let (excluded, broken) = (Set(refused.keys), constraints)
      let owners = Guarded<[(id: ManagedObjectID, row: Int)]>([])
      do {
        var outcome = try await write { context in
          var work = BatchImport(
            batch, table, settings, in: context, checksEachRow: checksEachRow)
          let outcome = try work.run(range, except: excluded, seen: seen, broken)
          owners.withLock { $0 = work.owners.map { ($0.object.objectID, $0.row) } }
          // The write is given up, and made again without the refused rows.
          if outcome.needsRepeat { throw Repetition(outcome: outcome) }
          return outcome
        }
        outcome.failures.merge(refused) { $1 }
        return outcome
      } catch {
        if let repetition = error.blockError as? Repetition {
          refused.merge(repetition.outcome.failures) { $1 }
        } else if case .validation(let failure) = error.code,
          let failures = batch.failures(failure, owners.withLock(\.self)),
          failures.contains(where: { refused[$0.key] == nil })
        {
          refused.merge(failures) { $1 }
        } else if case .store(let failure) = error.code,
          case .constraint(let entity, let properties) = failure.code, !properties.isEmpty,
          constraints.insert(BrokenConstraint(entity: entity, properties: properties)).inserted
        {
          continue
        } else {
          throw error
        }
      }
    }
  }

  private func write<Output: Sendable>(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    let author = settings.author
    return try await service.attemptWrite(durability: settings.durability) { context in
      context.transactionAuthor = author
      return try body(context)
    }
  }

  private struct Repetition: Error { let outcome: RowsOutcome }

  static func delete(
    _ ids: [ManagedObjectID], in context: ManagedObjectContext
  ) throws -> Int {
    let wanted = Set(ids)
    guard let name = ids.first?.entityName else { return 0 }
    var count = 0
    var request = FetchRequest(
      name,
      where: .comparison(
        FetchPredicate.Comparison(
          .subject, .isIn, .constant(.list(ids.map { .objectID($0) })))))
    request.includesSubentities = true
    for object in try context.fetch(request) where wanted.contains(object.objectID) {
      context.delete(object)
      count += 1
    }
    return count
  }

  // MARK: - As a whole

  private mutating func runWhole() async throws {
    let batches = try await feed.all()
    let start = session
    let isCancelled = Cancellation()
    let report = report
    let outcome = await withTaskCancellationHandler {
      await Self.result {
        try await write { context in
          try Self.write(batches, start, in: context, isCancelled, report)
        }
      }
    } onCancel: {
      isCancelled.cancel()
    }
    do {
      session = try outcome.get()
    } catch let error as DALError {
      guard let given = error.blockError as? GivenUp else { throw error }
      session = given.session
      if isCancelled.isCancelled { throw CancellationError() }
      guard settings.refusesAll, session.report.failed > 0, !settings.isDryRun else { return }
      throw ImportError(
        .refusedRows,
        "\(session.report.failed) rows were refused, so nothing was written. The first: "
          + (session.report.failures.first.map { "\($0)" } ?? "not described"))
    }
  }

  private static func result<Output>(
    _ body: () async throws -> Output
  ) async -> Result<Output, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  /// Ends a write whose changes are not wanted.
  private struct GivenUp: Error { let session: ImportSession }

  private static func write(
    _ batches: [RecordBatch], _ start: ImportSession, in context: ManagedObjectContext,
    _ cancellation: Cancellation, _ report: (ImportProgress) -> Void
  ) throws -> ImportSession {
    var session = start
    let settings = session.settings
    var finders: [ObjectFinder]?
    for batch in batches {
      if cancellation.isCancelled { throw GivenUp(session: session) }
      let range = 0..<batch.records.count
      var work = BatchImport(
        batch, session.table, settings, in: context, checksEachRow: settings.isDryRun, finders)
      session.add(try work.run(range, except: [], seen: session.seen))
      finders = work.finders
      session.finish(batch)
      report(session.report.counts)
    }
    session.report.counts.deleted = try delete(session.missing(), in: context)
    if settings.isDryRun || session.report.failed > 0 { throw GivenUp(session: session) }
    return session
  }
}

extension DALError {
  fileprivate var isOfStore: Bool { if case .store = code { true } else { false } }

  /// The store refused rows, and may take others.
  fileprivate var isAboutRows: Bool {
    switch code {
    case .validation, .context, .predicate: return true
    case .store(let error):
      switch error.code {
      case .constraint, .conflict, .tooLarge, .linkAcrossStores: return true
      default: return false
      }
    default: return false
    }
  }
}
