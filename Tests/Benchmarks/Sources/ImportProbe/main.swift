// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import Sporades
import SporadesImport

// Imports lines of JSON of a size in megabytes, and prints the seconds, the rows and the most memory that the process
// ever had, in kilobytes: ImportProbe FOLDER MEGABYTES

@Entity final class Account: ManagedObject {
  @Attribute(.unique) var email: String = ""
  var name: String = ""
  var age: Int = 0
  var score: Double = 0
  var createdAt: Date = Date(timeIntervalSinceReferenceDate: 0)
  var club: Club?
}

@Entity final class Club: ManagedObject {
  @Attribute(.unique) var code: String = ""
  @Relationship(inverse: \Account.club) var accounts: Set<Account>
}

/// Writes lines until the file has the size, a piece at a time.
func makeFile(_ file: URL, _ megabytes: Int) throws {
  guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
    throw CocoaError(.fileWriteUnknown)
  }
  let handle = try FileHandle(forWritingTo: file)
  defer { try? handle.close() }
  var (number, written) = (0, 0)
  while written < megabytes << 20 {
    var piece = Data()
    while piece.count < 1 << 20 {
      number += 1
      piece.append(
        contentsOf: """
          {"email": "person.\(number)@example.com", "name": "Person with the number \(number)", "age": \(number % 90), \
          "score": \(Double(number % 1000) / 8), "createdAt": "2026-03-01T12:\(10 + number % 50):00Z", \
          "club": "C\(number % 200)"}

          """.utf8)
    }
    try handle.write(contentsOf: piece)
    written += piece.count
  }
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let file = folder.appendingPathComponent("accounts.jsonl")
if CommandLine.arguments[2] == "make" {
  try makeFile(file, Int(CommandLine.arguments[3]) ?? 0)
} else {
  let service = DALService(
    sqlite: folder.appendingPathComponent("accounts.sqlite"), entities: [Account.self, Club.self])
  let clubs = (0..<200).map { ["code": .init("C\($0)")] as ImportRecord }
  _ = try await service.import(Club.self, from: .records(clubs))
  let start = ContinuousClock.now
  let result = try await service.import(Account.self, from: .json(file))
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  precondition(result.failed == 0 && result.made > 0, "Rows were refused: \(result)")
  try service.close()
  report("\(seconds) \(result.made) \(peakMemory() ?? 0)")
}
