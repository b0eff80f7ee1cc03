// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore

/// Writes the objects of a request, a few thousand at a time.
struct RowExport {
  private var printer: RowPrinter
  private let batches: FetchedBatches<ManagedObject>
  private(set) var report = ExportReport()

  /// The number of objects in memory.
  static let batch = 2000
  /// The number of bytes that are handed over together.
  private static let piece = 1 << 16

  init(
    _ request: FetchRequest, _ form: ExportForm, _ rules: MappingRules,
    in context: ManagedObjectContext
  ) throws {
    let plan = try Self.plan(request, form, rules, context)
    printer = try RowPrinter(plan, form)
    var request = request
    request.fetchBatchSize = Self.batch
    request.relationshipKeyPathsForPrefetching = plan.prefetched
    batches = try context.fetchInBatches(ManagedObject.self, request)
    report.totalRows = batches.count
    report.omitted = plan.omitted
  }

  private static func plan(
    _ request: FetchRequest, _ form: ExportForm, _ rules: MappingRules,
    _ context: ManagedObjectContext
  ) throws -> ExportPlan {
    guard let shape = context.model.shape(named: request.entityName) else {
      throw ContextError.unknownEntity(request.entityName, known: context.model.shapes.map(\.name))
    }
    var isFlat = false
    if case .csv = form { isFlat = true }
    return try ExportPlanner.plan(shape, context.model, rules, isFlat: isFlat)
  }

  /// Writes everything, and hands over the bytes in pieces.
  mutating func run(
    _ progress: (ExportReport) -> Void, _ write: ([UInt8]) throws -> Void
  ) throws {
    printer.begin()
    for place in batches.indices {
      try printer.append(batches[place])
      report.rows += 1
      if printer.bytes.count >= Self.piece { try handOver(write) }
      if report.rows % Self.batch == 0 {
        try Cancellation.check()
        progress(report)
      }
    }
    printer.end()
    try handOver(write)
    progress(report)
  }

  private mutating func handOver(_ write: ([UInt8]) throws -> Void) throws {
    try write(printer.bytes)
    report.bytes += printer.bytes.count
    printer.removeBytes()
  }

  /// The text of some objects.
  static func piece(
    _ ids: [ManagedObjectID], _ request: FetchRequest, _ form: ExportForm, _ rules: MappingRules,
    in context: ManagedObjectContext, isFirst: Bool, isLast: Bool
  ) throws -> [UInt8] {
    let plan = try plan(request, form, rules, context)
    var printer = try RowPrinter(plan, form)
    if isFirst { printer.begin() } else { printer.goOn() }
    var request = FetchRequest(
      request.entityName,
      where: .comparison(
        FetchPredicate.Comparison(.subject, .isIn, .constant(.list(ids.map { .objectID($0) })))))
    request.relationshipKeyPathsForPrefetching = plan.prefetched
    let objects = try context.fetch(request)
    let byID = Dictionary(uniqueKeysWithValues: objects.map { ($0.objectID, $0) })
    for id in ids { if let object = byID[id] { try printer.append(object) } }
    if isLast { printer.end() }
    return printer.bytes
  }
}
