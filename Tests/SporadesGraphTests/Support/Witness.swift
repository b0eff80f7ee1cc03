// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel

/// An object that tells what it hears, so that a test can note it or act on it.
@Entity final class Witness: ManagedObject {
  var name: String = ""
  @Attribute(.minimum(0)) var level: Int = 1
  @Relationship(deleteRule: .cascade, inverse: "parent") var parts: Set<Witness>
  @Relationship(inverse: "parts") var parent: Witness?
  @Transient var passing: Int = 0
  @Ignored var hears: ((String) throws -> Void)?

  static func make(_ name: String, in context: ManagedObjectContext) -> Witness {
    let witness = Witness.create(in: context)
    witness.name = name
    return witness
  }

  static let model = try! ManagedObjectModel([Witness.self])

  override func prepareForDeletion() { try? hears?("prepareForDeletion") }
  override func willSave() { try? hears?("willSave") }
  override func didSave() { try? hears?("didSave") }
  override func willTurnIntoFault() { try? hears?("willTurnIntoFault") }
  override func didTurnIntoFault() { try? hears?("didTurnIntoFault") }
  override func awake(fromSnapshotEvents events: SnapshotEvents) {
    try? hears?("snapshot \(events.rawValue)")
  }
  override func validateForInsert() throws {
    try super.validateForInsert()
    try hears?("validateForInsert")
  }
  override func validateForUpdate() throws { try hears?("validateForUpdate") }
  override func validateForDelete() throws { try hears?("validateForDelete") }
  override class var validatedProperties: [String] { ["name"] }
  override func validateValue(_ value: Value, forKey name: String) throws {
    try super.validateValue(value, forKey: name)
    if value == "bad" { throw Refusal(reason: "no bad names") }
  }
  override var description: String { "witness of \(name), \(parts.count) parts" }
}

/// What only looks like the identity of objects; contexts must not ask it.
extension Witness {
  static func == (left: Witness, right: Witness) -> Bool { true }
  static func != (left: Witness, right: Witness) -> Bool { false }
}

struct Refusal: Error { var reason = "" }

final class Log {
  private(set) var lines: [String] = []
  func note(_ line: String) { lines.append(line) }
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

extension StoreKind {
  func witnesses() throws -> DataStack {
    DataStack(store: try store(Witness.model), classes: [Witness.self])
  }
}
