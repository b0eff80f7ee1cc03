// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// Attributes whose values are kept as what a transformer makes of them.
@Suite struct TransformerTests {
  /// JSON with its bytes turned around, so that nothing else can read them.
  private struct Backwards: AttributeTransformer {
    func encode<V: Encodable>(_ value: V) throws -> Data {
      Data(try JSONTransformer().encode(value).reversed())
    }

    func decode<V: Decodable>(_ type: V.Type, from data: Data) throws -> V {
      try JSONTransformer().decode(type, from: Data(data.reversed()))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func attributesNameTheTransformerThatKeepsThem(in kind: StoreKind) throws {
    Transformers.register(Backwards(), named: "Backwards")
    let model = try ManagedObjectModel([Basket.self])
    let attribute = model.entitiesByName["Basket"]?.attributes.first
    #expect(attribute?.type == .transformable)
    #expect(attribute?.valueTransformerName == "Backwards")
    let stack = DataStack(store: try kind.store(model), classes: [Basket.self])
    try stack.newContext().performAndWait { context in
      let crate = Basket.create(in: context)
      (crate.sizes, crate.listed) = ([1, 2], ["a": 3])
      try context.save()
      context.reset()
      let again = try #require(try Basket.first(in: context))
      #expect(again.sizes == [1, 2])
      #expect(again.listed == ["a": 3])
      #expect(again.value(forKey: "sizes") == .data(Data("]2,1[".utf8)))
    }
  }

  /// What an earlier version of the program stored: sizes that were texts, and an address without a town.
  @Test(arguments: StoreKind.allCases)
  func anEncodingOfAnotherTypeShowsTheDefaultAndIsReported(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Chest.self])
    let stack = DataStack(store: try kind.store(model), classes: [Chest.self])
    try stack.newContext().performAndWait { context in
      let chest = Chest.create(in: context)
      chest.setValue(Data(#"["a"]"#.utf8), forKey: "sizes")
      chest.setValue(Data(#"{"street":"a"}"#.utf8), forKey: "place")
      chest.setValue(Data(#"{"street":"a"}"#.utf8), forKey: "former")
      try context.save()
      context.reset()
      let again = try #require(try Chest.first(in: context))
      #expect(again.sizes == [7])
      #expect(again.place == Chest.Place(street: "", town: "Basel"))
      #expect(again.former == nil)
      let error = #expect(throws: ContextError.self) { try context.save() }
      let text = "\(error?.localizedDescription ?? "")"
      #expect(text.contains("could not be decoded or encoded"), "\(text)")
      #expect(text.contains("let init(from:) take a default"), "\(text)")
    }
  }

  @Test func bytesWithoutADefaultTrapWithTheirFix() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Trunk.self])
      stack.newContext().performAndWait { context in
        let trunk = Trunk.create(in: context)
        trunk.setValue(Data("[]".utf8), forKey: "place")
        print(trunk.place)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Trunk.place has no value that can be read as Place, and no default."),
      "\(text)")
  }
}

@Entity final class Chest: ManagedObject {
  struct Place: Codable, Equatable {
    var street = ""
    var town = "Basel"
  }
  var sizes: [Int] = [7]
  var place: Place = Place()
  var former: Place?
}

@Entity final class Trunk: ManagedObject {
  var place: Chest.Place
}

@Entity final class Basket: ManagedObject {
  @Attribute(.transformer(named: "Backwards")) var sizes: [Int]?
  @Attribute(.transformer(named: "PropertyList")) var listed: [String: Int] = [:]
}
