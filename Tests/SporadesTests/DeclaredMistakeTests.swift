// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import Testing

@Entity private final class Writer: ManagedObject {
  var written: Set<Letter>
  var received: Set<Letter>
}
@Entity private final class Letter: ManagedObject {
  var writer: Writer?
  var reader: Writer?
}

@Entity private final class Sender: ManagedObject {
  @Relationship(inverse: nil) var written: Set<Parcel>
  @Relationship(inverse: \Parcel.reader) var received: Set<Parcel>
}
@Entity private final class Parcel: ManagedObject {
  @Relationship(inverse: nil) var writer: Sender?
  var reader: Sender?
}

@Entity private final class Shelf: ManagedObject {
  @Attribute(.range(1...9)) var size: Int = 0
  @Attribute(.length(3...5)) var label: String = "ab"
  @Attribute(.length(3...5)) var code: String?
  @Attribute(.range(0...1)) var share: Double = 1
}

/// Declarations that load, and cannot mean what they say.
@Suite struct DeclaredMistakeTests {
  private func problems(_ classes: [ManagedObject.Type]) -> [ModelError.Problem] {
    do {
      _ = try ManagedObjectModel(classes)
      return []
    } catch {
      return error.problems
    }
  }

  @Test func relationshipsWithoutANamedInverseAreNamedWithBothSides() {
    let found = problems([Writer.self])
    #expect(found.map(\.code) == Array(repeating: .ambiguousInverse, count: 4))
    #expect(
      found.contains {
        $0.description
          == "Letter.reader: could have Writer.written or Writer.received as its inverse, and no side says "
          + "which; write @Relationship(inverse: \\Writer.written), or inverse: nil for a relationship "
          + "without inverse."
      }, "\(found)")
  }

  @Test func aRelationshipCanSayThatItHasNoInverse() throws {
    let model = try ManagedObjectModel([Sender.self])
    let inverses = Dictionary(
      uniqueKeysWithValues: model.entities.flatMap(\.relationships).map {
        ($0.name, $0.inverseName)
      })
    #expect(
      inverses == ["written": nil, "received": "reader", "writer": nil, "reader": "received"])
  }

  @Test func aDefaultOutsideItsBoundsIsAProblem() {
    let found = problems([Shelf.self])
    #expect(found.map(\.property) == ["size", "label"])
    #expect(
      found.first?.description
        == "Shelf.size: has the default 0, which is below the minimum, 1, so a new object could not be saved "
        + "as it is; choose another default, leave it out, or widen the bounds.")
    #expect(found.last?.description.contains("\"ab\", which has fewer than 3 characters") == true)
  }
}
