// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Testing

private let author = RowDraft("Author", 1, ["name": "old"])
private let fan = RowDraft("Author", 2, ["name": "fan"])
private let book = RowDraft("Book", 1, ["title": "t"], to: ["author": author])
private let gone = RowDraft("Book", 2, ["title": "u"], to: ["author": author])

extension StoreCheck {
  static let standing = [
    StoreCheck(14, "a generation keeps its state while rows are inserted, updated and deleted") {
      store in
      guard let store = store as? any GenerationKeepingStore else { return }
      guard store.keepsGenerations else { return cannotKeep(store) }
      let links = [LinkChange(book, "fans", adding: [fan])]
      try store.execute(ChangeSet(inserting: [author, fan, book, gone], links: links))
      try store.commit(.eventual)
      let view = StoreView.generation(try store.generation())

      try store.execute(
        ChangeSet(
          inserting: [RowDraft("Book", 3, ["title": "v"])],
          updating: [author.changed(["name": "new"]), book.changed(to: ["author": nil])],
          deleting: [gone], links: [LinkChange(book, "fans", removing: [fan])]))
      try expectFirstState()
      try store.commit(.eventual)
      try expectFirstState()
      try store.removeAllRows()
      try expectFirstState()
      #expect(try store.found("Book", in: .committed) == [])

      func expectFirstState() throws {
        #expect(try store.found("Book", in: view) == [1, 2])
        #expect(try store.found("Author", where: .equals("name", "old"), in: view) == [1])
        #expect(try store.value("name", of: author, in: view) == "old")
        #expect(try store.value("title", of: gone, in: view) == "u")
        #expect(try store.linked("fans", of: book, in: view) == [2])
        #expect(try store.referring(to: author, in: view) == [1, 2])
        let all = StoreFetch(SampleLibrary.shape("Book"))
        #expect(try store.count(all, in: view) == 2)
        #expect(try store.aggregate(.max, of: ["title"], all, in: view) == "u")
      }
    },
    StoreCheck(14, "a generation shows the commits before it, and the next generation shows more") {
      store in
      guard let store = store.keepingGenerations else { return }
      try store.execute(ChangeSet(inserting: [RowDraft("Author", 1, ["name": "a"])]))
      try store.commit(.eventual)
      try store.execute(ChangeSet(inserting: [RowDraft("Author", 2, ["name": "b"])]))
      let first = try store.generation()
      #expect(try store.found("Author", in: .generation(first)) == [1])
      try store.commit(.eventual)
      let second = try store.generation()
      #expect(try store.found("Author", in: .generation(second)) == [1, 2])
      #expect(try store.found("Author", in: .generation(first)) == [1])
    },
    StoreCheck(
      14, "a store refuses the generation of another store, and a generation ends with its store"
    ) {
      store, subject in
      guard let store = store.keepingGenerations,
        let other = try subject.makeStore(SampleLibrary.model).keepingGenerations
      else { return }
      // `try?`, because the check does not depend on the end of the other store.
      defer { try? other.close() }
      for foreign in [StoreGeneration("of nobody", of: store), try other.generation()] {
        #expect(throws: StoreError.self) { try store.found("Author", in: .generation(foreign)) }
      }
      let generation = try store.generation()
      try store.close()
      #expect(throws: StoreError.self) { try store.found("Author", in: .generation(generation)) }
    },
  ]

  private static func cannotKeep(_ store: any GenerationKeepingStore) {
    do throws(StoreError) {
      _ = try store.generation()
      Issue.record("The store made a generation, although keepsGenerations is false.")
    } catch {
      #expect(error.code == .unsupported)
    }
  }
}

extension PersistentStore {
  /// The store, if it keeps generations; else nil.
  fileprivate var keepingGenerations: (any GenerationKeepingStore)? {
    guard let store = self as? any GenerationKeepingStore else { return nil }
    return store.keepsGenerations ? store : nil
  }
}

extension PersistentStore {
  /// Reads the primary keys of the books of an author.
  fileprivate func referring(to author: RowDraft, in view: StoreView) throws -> [Int64] {
    let book = SampleLibrary.shape("Book")
    guard case .relationship(let shape) = author.shape["books"],
      case .inverseReference(let slot, _) = shape.storage
    else { return [] }
    let pages = try rows(of: book, referencing: [author.key], in: slot, position: nil, in: view)
    return pages.flatMap { page in (0..<page.count).map { page.key($0).primaryKey } }
  }
}
