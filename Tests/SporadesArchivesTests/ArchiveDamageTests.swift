// SPDX-License-Identifier: MIT
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
    let reading = try ModelUnarchiver.read(bytes, source: "test")
    #expect(reading.model.fetchRequestTemplates.isEmpty)
    #expect(reading.warnings[0].detail.contains("its shared objects would make too large a model"))
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
    for _ in 0..<400 {
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
