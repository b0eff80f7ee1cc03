// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import Testing

@Entity final class Payment: ManagedObject {
  @Attribute(.unique) var id: String = ""
  var amount: Decimal?
  var due: Date?
  var weight: Double = 0
  var place: Spot?
  @Relationship(inverse: \Payment.former) var next: Payment?
  var former: Payment?
  @Relationship(inverse: \Mark.payments) var marks: Set<Mark>
}

@Composite struct Spot {
  var street: String?
  var town: String?
}

@Entity final class Mark: ManagedObject {
  @Attribute(.unique) var name: String?
  var payments: Set<Payment>
}

/// What an import with the same mapping would not read again is refused.
@Suite struct ExportRefusalTests {
  private let service: DALService = {
    var options = DALService.Options()
    options.reactor = nil
    return DALService(inMemory: [Payment.self, Mark.self], options: options)
  }()

  /// Makes the only payment.
  private func make(_ change: @Sendable (Payment) -> Void) throws {
    try service.writeSync { context in
      for former in Payment.all(in: context) { context.delete(former) }
      let payment = Payment.create(in: context)
      payment.id = UUID().uuidString
      change(payment)
    }.get()
  }

  private func refusal(
    _ mapping: ImportMapping<Payment>, _ form: ExportForm = .jsonLines
  ) async -> ExportError? {
    await #expect(throws: ExportError.self) {
      try await service.export(Payment.request, as: form, mapping: mapping) { _ in }
    }
  }

  private static func amount(_ value: ImportValue) -> Decimal? {
    value.string.flatMap {
      Decimal(string: $0.replacing(".", with: "").replacing(",", with: "."))
    }
  }

  @Test func aClosureThatNothingUndoesIsRefused() async throws {
    let mapping = ImportMapping<Payment>().key("Amount", to: \.amount) { Self.amount($0) }
    let error = await refusal(mapping)
    #expect(error?.code == .request)
    #expect(error?.detail.contains("Payment.amount: ") == true, "\(error?.detail ?? "")")
    #expect(error?.detail.contains("`writing:`") == true)
    let marks = ImportMapping<Payment>().key("Marks", to: \.marks) { [$0.string ?? ""] }
    #expect(await refusal(marks)?.detail.contains("Payment.marks: ") == true)
    #expect(await refusal(marks, .csv())?.detail.contains("Payment.marks: ") == true)
    // What the export does not write needs no way back.
    try await service.export(
      Payment.request, as: .jsonLines, mapping: mapping.ignoring(\.amount)
    ) { _ in }
  }

  @Test func closuresOfBothWaysKeepTheirValues() async throws {
    let mapping = ImportMapping<Payment>()
      .key("Amount", to: \.amount) {
        Self.amount($0)
      } writing: {
        $0.map { .text("\($0)".replacing(".", with: ",")) } ?? .null
      }
      .key("Marks", to: \.marks) {
        $0.string?.split(separator: ",").map(String.init) ?? []
      } writing: {
        .text($0.sorted().joined(separator: ","))
      }
      .related(\.marks, by: "name", missing: .make)
    let records: [ImportRecord] = [["id": "1", "Amount": "3,18", "Marks": "a,b"]]
    _ = try await service.import(Payment.self, from: .records(records), mapping: mapping)
    for form in [ExportForm.jsonLines, .csv()] {
      let text = try await exportedText(service, Payment.request, form, mapping)
      #expect(text.contains("\"3,18\"") && text.contains("\"a,b\""), "\(text)")
      let source: ImportSource = form == .jsonLines ? .json(text: text) : .csv(text: text)
      #expect(
        try await service.import(Payment.self, from: source, mapping: mapping).unchanged == 1)
    }
  }

  @Test func aWayBackThatIsNoneIsRefused() async throws {
    try make { $0.amount = Decimal(string: "3.18") }
    // The point of the decimal stays, and reading takes it for one of thousands.
    let mapping = ImportMapping<Payment>().key("Amount", to: \.amount) {
      Self.amount($0)
    } writing: {
      .text("\($0 ?? 0)")
    }
    let error = await refusal(mapping)
    #expect(error?.detail.contains("is not the way back") == true, "\(error?.detail ?? "")")
    // The attribute has no value, and the closures make one.
    let zero = ImportMapping<Payment>().key("Weight", to: \.amount) {
      Self.amount($0) ?? 0
    } writing: {
      .text("\($0)")
    }
    try make { $0.id = "2" }
    #expect(await refusal(zero)?.detail.contains("is not the way back") == true)
  }

  @Test func aClosureThatThrowsEndsTheExportWithItsError() async throws {
    struct Stop: Error {}
    try make { $0.weight = 1 }
    let mapping = ImportMapping<Payment>().key("w", to: \.weight) {
      $0.double ?? 0
    } writing: { _ in
      throw Stop()
    }
    let error = await refusal(mapping)
    #expect(error?.code == .receiver)
    #expect(error?.underlying is Stop)
  }

  @Test func aDateOfWhichThePatternLosesAPartIsRefused() async throws {
    try make { $0.due = Date(timeIntervalSinceReferenceDate: 86_400) }
    func days(_ pattern: String) -> ImportMapping<Payment> {
      ImportMapping<Payment>().key("due", to: \.due, dates: .pattern(pattern))
    }
    try await service.export(Payment.request, as: .json, mapping: days("dd.MM.yyyy")) { _ in }
    for (pattern, seconds) in [
      ("dd.MM.yyyy", 86_401), ("dd.MM.yyyy HH:mm", 61), ("yyyy-MM-dd HH:mm:ss.SS", 0.125),
      ("dd.MM.yy", -86_400 * 36_525), ("yyyy", 86_400), ("dd.MM.yyyy h:mm", 46_800),
      ("dd.MM.yyyy", -70_000_000_000), ("dd.MM.yyyy", 260_000_000_000), ("yyyy-MM-dd", .infinity),
    ] {
      try make { $0.due = Date(timeIntervalSinceReferenceDate: seconds) }
      let error = await refusal(days(pattern))
      #expect(error?.detail.hasPrefix("Payment.due of ") == true, "\(pattern) \(seconds)")
    }
  }

  @Test func aDateBeyondTheYearsOfANumberIsRefused() async throws {
    for seconds in [1e12, -1e12, .infinity] {
      try make { $0.due = Date(timeIntervalSinceReferenceDate: seconds) }
      for format in [
        ImportDateFormat.secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate,
      ] {
        let mapping = ImportMapping<Payment>().dates(format)
        #expect(await refusal(mapping) != nil, "\(format) \(seconds)")
      }
    }
  }

  @Test func aLinkToAnObjectWithoutItsKeyIsRefused() async throws {
    try service.writeSync { context in
      let payment = Payment.create(in: context)
      payment.id = "1"
      payment.marks = [Mark.create(in: context)]
    }.get()
    let error = await refusal(ImportMapping())
    #expect(error?.detail.hasPrefix("Mark.name of ") == true, "\(error?.detail ?? "")")
  }

  @Test func aKeyThatLeadsToAnotherPropertyIsRefused() async throws {
    // The import finds the town under its whole path before it looks into the place.
    let mapping = ImportMapping<Payment>().key("place.town", to: \.weight)
    let error = await refusal(mapping)
    #expect(error?.detail.contains("Payment.place.town") == true, "\(error?.detail ?? "")")
    let both = ImportMapping<Payment>().key("due", "weight", to: \.weight).key("day", to: \.due)
    try await service.export(Payment.request, as: .json, mapping: both) { _ in }
  }

  @Test func aMemberWithAKeyOfItsOwnStandsBesideItsComposite() async throws {
    try make { $0.place = Spot(street: "s", town: "t") }
    let mapping = ImportMapping<Payment>().key("city", to: \.place!.town)
      .ignoring(\.next, \.former)
    let text = try await exportedText(service, Payment.request, .jsonLines, mapping)
    #expect(text.contains("\"place\":{\"street\":\"s\"}") && text.contains("\"city\":\"t\""))
    let report = try await service.import(
      Payment.self, from: .json(text: text), mapping: mapping)
    #expect(report.unchanged == 1)
    #expect(report.unfoundKeys.isEmpty)
  }
}
