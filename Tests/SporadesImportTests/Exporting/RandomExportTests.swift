// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import Testing

/// An import with the mapping of an export makes the same objects, whatever the mapping and the form are.
@Suite struct RandomExportTests {
  @Test(arguments: 0..<150)
  func theMappingThatExportedImportsTheSame(seed: Int) async throws {
    var chance = SeededNumbers(state: UInt64(seed))
    let source = try makeCrateService()
    try source.makeCrates(&chance)
    let csv = CSVForm(delimiter: [",", ";", "\t", "|", ":", "-", ".", "0", "T"][chance.below(9)])
    let form = [ExportForm.json, .jsonLines, .csv(csv)][chance.below(3)]
    var mapping = mapping(&chance)
    if case .csv = form {
      mapping = mapping.ignoring(\.shelf).key("stamps", to: \.stamps) {
        $0.string?.split(separator: " ").map(String.init) ?? []
      } writing: {
        .text($0.joined(separator: " "))
      }
    }
    let text = try await exportedText(source, Crate.request.sorted(by: \.number), form, mapping)
    let target = try makeCrateService()
    let input: ImportSource =
      if case .csv = form { .csv(text: text, csv) } else { .json(text: text) }
    let report = try await target.import(Crate.self, from: input, mapping: mapping)
    #expect(report.failures.isEmpty, "\(text)")
    #expect(report.unknownKeys.isEmpty)
    let (expected, found) = (try source.crates(), try target.crates())
    for (expected, found) in zip(expected, found) {
      if case .csv = form {
        // The mapping leaves the shelf out, because a field holds no key of two attributes.
        let shelf = /"[01] p[0-2]"|"-"/
        #expect(
          expected.replacing(shelf, with: "") == found.replacing(shelf, with: ""), "\(text)")
      } else {
        #expect(expected == found, "\(text)")
      }
    }
    #expect(found.count == expected.count)
  }

  private func mapping(_ chance: inout SeededNumbers) -> ImportMapping<Crate> {
    var mapping = ImportMapping<Crate>()
      .related(\.above, missing: .make).related(\.shelf, by: "row", "place")
    if let dates = formats[chance.below(formats.count)] { mapping = mapping.dates(dates) }
    if chance.below(2) == 0 {
      mapping = mapping.key("When", to: \.packed, dates: formats[chance.below(formats.count)])
    }
    let renamed: [PartialKeyPath<Crate>] = [
      \.label, \.weight, \.ratio, \.isOpen, \.token, \.page, \.bytes, \.words, \.above, \.shelf,
      \.day, \.price,
    ]
    for (index, keyPath) in renamed.enumerated() where chance.below(2) == 0 {
      let key = ["K\(index)", "in.K\(index)", "k \(index);,\t|\"", "extent.K\(index)"][
        chance.below(4)]
      mapping = mapping.key(key, "other \(index)", to: keyPath)
    }
    if chance.below(2) == 0 { mapping = mapping.key("wide", to: \.extent!.width) }
    if chance.below(2) == 0 {
      mapping = mapping.key("Amount", to: \.amount) {
        $0.string.flatMap { Decimal(string: $0.replacing(",", with: ".")) }
      } writing: {
        $0.map { .text("\($0)".replacing(".", with: ",")) } ?? .null
      }
    }
    return mapping.key("Tags", to: \.tags) {
      $0.string?.split(separator: "/").map(String.init)
    } writing: {
      .text(($0 ?? []).joined(separator: "/"))
    }
  }

  private var formats: [ImportDateFormat?] {
    [
      nil, .iso8601, .secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate,
      .pattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSZ"),
      .pattern("EEEE, d MMM yyyy, h:mm:ss.SSSSSSSSS a"),
      .pattern("d.M.yyyy '\"um\"; ' HH:mm:ss,SSSSSSSSS"),
    ]
  }
}

func exportedText<Object: ManagedObject>(
  _ service: DALService, _ request: TypedRequest<Object>, _ form: ExportForm,
  _ mapping: ImportMapping<Object> = ImportMapping()
) async throws -> String {
  var bytes: [UInt8] = []
  for try await piece in service.exported(request, as: form, mapping: mapping) { bytes += piece }
  return String(decoding: bytes, as: UTF8.self)
}
