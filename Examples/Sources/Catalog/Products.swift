// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesIndexing

@Entity final class Category: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "category") var products: Set<Product>
}

@Entity class Product: ManagedObject {
  var name: String = ""
  var price: Int = 0
  var isForSale: Bool = true
  @Relationship(inverse: "products") var category: Category?
}

@Entity final class Book: Product {
  var author: String = ""
}

/// The answers to the question what the search file keeps of a product.
// snippet: indexing-delegate
final class ProductIndexing: IndexingDelegate, @unchecked Sendable {
  // @unchecked as the superclass is. The class has no properties of its own.
  override func attributes(for object: ManagedObject) throws -> IndexAttributes? {
    guard let product = object as? Product, product.isForSale else { return nil }
    var attributes = IndexAttributes(title: product.name, text: product.category?.name)
    attributes["price"] = .integer(Int64(product.price))
    if let book = product as? Book { attributes.keywords = [book.author] }
    return attributes
  }

  override func domainIdentifier(for object: ManagedObject) throws -> String? {
    (object as? Product)?.category?.name
  }
}
// snippet end

/// The file of the products, which all programs open.
enum Products {
  static func service(_ path: String) -> DALService {
    DALService {
      var options = SQLiteStoreOptions()
      options.persistentHistory = .on
      return try DataStack(
        sqlite: URL(fileURLWithPath: path), entities: [Category.self, Product.self, Book.self],
        options: options)
    }
  }

  /// The delegate of a search file. Each file is a reader of the history by its own name.
  static func indexing(_ service: DALService, _ file: String) -> ProductIndexing {
    // snippet: indexing-make
    ProductIndexing(
      service: service, name: URL(fileURLWithPath: file).lastPathComponent,
      index: CatalogFile(file),
      entities: [IndexedEntity(Product.self, following: ["category.name"])],
      options: IndexingOptions(batchSize: 7))
    // snippet end
  }

  /// The lines that the search file should have.
  static func lines(of service: DALService) throws -> [String] {
    try service.readValue { context in
      try Product.all(in: context).filter(\.isForSale).map { product in
        CatalogFile.line(
          product.objectID.uriRepresentation().absoluteString, product.name,
          product.category?.name, Int64(product.price), (product as? Book).map { [$0.author] } ?? []
        )
      }.sorted()
    }
  }
}
