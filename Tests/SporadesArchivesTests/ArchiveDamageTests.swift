// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesTesting
import Testing

@testable import SporadesArchives

/// Archives nobody means well with: reading them ends soon, in an error that names the source.
@Suite struct ArchiveDamageTests {
  private func refusal(_ bytes: [UInt8]) throws -> String {
    let error = #expect(throws: ModelError.self) {
      try ModelUnarchiver.read(bytes, source: "/x/Model.mom")
    }
    #expect(error?.description.hasPrefix("The model in /x/Model.mom cannot be read: ") == true)
    return error?.description ?? ""
  }

  @Test func whatIsNoArchiveIsRefused() throws {
    #expect(try refusal([]).hasSuffix("it is too short for a property list."))
    let list = try MetadataValue.binaryPropertyList(["a": .integer(1)])
    #expect(try refusal(list).hasSuffix("it is a property list and no archive."))
  }

  @Test func anotherClassIsRefused() throws {
    var writer = KeyedArchiveWriter()
    let root = writer.list([])
    #expect(
      try refusal(writer.bytes(root: root))
        .hasSuffix("it contains the class NSMutableArray and no model."))
  }

  @Test func referencesBeyondTheArchiveAreRefused() throws {
    var writer = KeyedArchiveWriter()
    let root = writer.object(
      ArchivedClass("NSManagedObjectModel"), [.init("NSEntities", .reference(77))])
    #expect(try refusal(writer.bytes(root: root)).hasSuffix("it names object 77 and has 3."))
  }

  /// An archive of a model whose only template is the predicate that `build` makes.
  private func template(
    _ build: (inout KeyedArchiveWriter) -> KeyedArchiveWriter.Reference
  ) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let entity = writer.object(
      ArchivedClass("NSEntityDescription"), [.init("NSEntityName", writer.text("A"))])
    let request = writer.object(
      ArchivedClass("NSFetchRequest"),
      [.init("NSEntity", entity), .init("NSPredicate", build(&writer))])
    let entities = writer.dictionary([(writer.text("A"), entity)])
    let templates = writer.dictionary([(writer.text("t"), request)])
    let root = writer.object(
      ArchivedClass("NSManagedObjectModel"),
      [.init("NSEntities", entities), .init("NSFetchRequestTemplates", templates)])
    return writer.bytes(root: root)
  }

  @Test func aConditionWithinItselfIsLeftOut() throws {
    let bytes = template { writer in
      let condition = writer.reserve()
      let parts = writer.list([condition])
      writer.fill(
        condition, ArchivedClass("NSCompoundPredicate"),
        [.init("NSCompoundPredicateType", .integer(1)), .init("NSSubpredicates", parts)])
      return condition
    }
    let reading = try ModelUnarchiver.read(bytes, source: "test")
    #expect(reading.model.fetchRequestTemplates.isEmpty)
    #expect(reading.warnings.map(\.code) == [.invalidPredicate])
    #expect(reading.warnings[0].detail.contains("it is more than 100 conditions deep"))
  }

  /// A hundred conditions, each with the next one twice, would be 2^100.
  @Test func sharedConditionsEndSoon() throws {
    let bytes = template { writer in
      var condition = writer.object(ArchivedClass("NSTruePredicate"), [])
      for _ in 0..<60 {
        let parts = writer.list([condition, condition])
        condition = writer.object(
          ArchivedClass("NSCompoundPredicate"),
          [.init("NSCompoundPredicateType", .integer(2)), .init("NSSubpredicates", parts)])
      }
      return condition
    }
    #expect(try refusal(bytes).hasSuffix("its shared objects would make too large a model."))
  }

  /// Two thousand entities with a quarter of a million fields, all of them one object.
  @Test func sharedFieldsEndSoon() throws {
    var writer = KeyedArchiveWriter()
    let name = writer.text("A")
    let filler = [PropertyListTree.Entry](repeating: .init("x", .integer(0)), count: 1 << 18)
    let entity = writer.object(
      ArchivedClass("NSEntityDescription"), filler + [.init("NSEntityName", name)])
    let entries = [(key: KeyedArchiveWriter.Reference, value: KeyedArchiveWriter.Reference)](
      repeating: (name, entity), count: 2_000)
    let entities = writer.dictionary(entries)
    let root = writer.object(
      ArchivedClass("NSManagedObjectModel"), [.init("NSEntities", entities)])
    #expect(
      try refusal(writer.bytes(root: root))
        .hasSuffix("its shared objects would make too large a model."))
  }

  /// Each object takes one byte of the list, which compresses a thousandfold, and more in memory.
  @Test func theNumberOfObjectsIsBounded() throws {
    let count = (1 << 20) + 1
    var bytes = Array("bplist00".utf8) + [0x09] + [UInt8](repeating: 8, count: count)
    bytes += [0, 0, 0, 0, 0, 0, 1, 8]
    for number in [UInt64(count), 0, 9] { bytes += HandMadeList.number(number, width: 8) }
    #expect(try refusal(bytes).hasSuffix("it has 1048577 objects, and may have 1048576."))
  }

  /// A model whose only attribute is a decimal number with an upper bound.
  private func bound(_ bound: Double) throws -> ModelReading {
    var writer = KeyedArchiveWriter()
    let archived = writer.archive(
      .comparison(.init(.subject, .lessOrEqual, .constant(.double(bound)))))
    let condition = try #require(archived)
    let conditions = writer.list([condition])
    let attribute = writer.object(
      ArchivedClass("NSAttributeDescription"),
      [
        .init("NSPropertyName", writer.text("price")),
        .init("NSAttributeType", .integer(Int64(AttributeType.decimal.rawValue))),
        .init("NSIsOptional", .boolean(true)), .init("NSValidationPredicates", conditions),
      ])
    let properties = writer.dictionary([(writer.text("price"), attribute)])
    let entity = writer.object(
      ArchivedClass("NSEntityDescription"),
      [.init("NSEntityName", writer.text("A")), .init("NSProperties", properties)])
    let entities = writer.dictionary([(writer.text("A"), entity)])
    let root = writer.object(
      ArchivedClass("NSManagedObjectModel"), [.init("NSEntities", entities)])
    return try ModelUnarchiver.read(writer.bytes(root: root), source: "test")
  }

  @Test func boundsOfDecimalsAreExactOrNone() throws {
    let tenth = try bound(0.1).model.entities[0].attributes[0]
    #expect(tenth.validation.maximum == .decimal(try #require(Decimal(string: "0.1"))))
    for number in [Double.infinity, -.infinity, .nan, 1e300] {
      let attribute = try bound(number).model.entities[0].attributes[0]
      #expect(attribute.name == "price")
      #expect(attribute.validation.maximum == .null)
    }
  }

  @Test func compressedBytesAreBounded() throws {
    let zeros = try DeflatedBytes.deflate([UInt8](repeating: 0, count: 80 << 20))
    #expect(zeros.count < 1 << 20)
    let error = #expect(throws: ModelError.self) {
      try ModelUnarchiver.read(deflated: zeros, source: "store")
    }
    #expect(error?.description.contains("expands to more than 64 MiB") == true)
    #expect(throws: ModelError.self) {
      try ModelUnarchiver.read(deflated: Array(zeros.prefix(10)), source: "store")
    }
    #expect(throws: ModelError.self) { try ModelUnarchiver.read(deflated: [], source: "store") }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func everyMutationIsReadOrRefused(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let original = ModelArchiver.archive(try ModelArchiveTests.model()).bytes
    var (read, refused) = (0, 0)
    for _ in 0..<150 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      do throws(ModelError) {
        _ = try ModelUnarchiver.read(bytes, source: "test")
        read += 1
      } catch {
        #expect(!error.problems.isEmpty)
        refused += 1
      }
    }
    #expect(read > 10)
    #expect(refused > 10)
  }
}
