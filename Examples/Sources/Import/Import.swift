// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesImport

@Entity final class City: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var population: Int = 0
  var founded: Date?
  var country: Country?
}

@Entity final class Country: ManagedObject {
  @Attribute(.unique) var code: String = ""
  @Relationship(inverse: \City.country) var cities: Set<City>
}

/// Imports a file of JSON or CSV into a store, with a bar on the terminal, and prints what became of the rows:
///
///     Import cities.csv
///     Import cities.jsonl --dry-run
///     Import --export cities.csv
@main struct Import {
  static func main() async {
    do {
      var arguments = Array(CommandLine.arguments.dropFirst())
      let isDryRun = arguments.last == "--dry-run"
      if isDryRun { arguments.removeLast() }
      let service = DALService(sqlite: "Cities", entities: [City.self, Country.self])
      if arguments.count == 2, arguments[0] == "--export" {
        try await export(to: URL(fileURLWithPath: arguments[1]), from: service)
      } else if arguments.count == 1 {
        try await run(URL(fileURLWithPath: arguments[0]), into: service, isDryRun: isDryRun)
      } else {
        throw Usage()
      }
      try service.close()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ file: URL, into service: DALService, isDryRun: Bool) async throws {
    var request = ImportRequest(
      City.self, from: file.pathExtension == "csv" ? .csv(file) : .json(file))
    request.mapping = ImportMapping()
      .key("name", "city", to: \.name)
      .related(\.country, by: "code", missing: .make)
    request.isDryRun = isDryRun
    let run = service.startImport(request)
    // The bar goes to standard error, so that standard output holds the report alone.
    for await progress in run {
      FileHandle.standardError.write(Data("\r\(progress.bar())".utf8))
    }
    FileHandle.standardError.write(Data("\n".utf8))
    let report = try await run.report
    print(report)
    for failure in report.failures { print("  \(failure)") }
  }

  private static func export(to file: URL, from service: DALService) async throws {
    let report = try await service.export(
      City.request.sorted(by: \.name), as: file.pathExtension == "csv" ? .csv() : .jsonLines,
      to: file)
    print("\(report.rows) rows, \(report.bytes) bytes")
  }
}

private struct Usage: Error, CustomStringConvertible {
  let description = "Usage: Import FILE [--dry-run] | Import --export FILE"
}
