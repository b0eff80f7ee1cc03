// SPDX-License-Identifier: MIT
import FoundationEssentials
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
}

@Entity final class Basket: ManagedObject {
  @Attribute(.transformer(named: "Backwards")) var sizes: [Int]?
  @Attribute(.transformer(named: "PropertyList")) var listed: [String: Int] = [:]
}
