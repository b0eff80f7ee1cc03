// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting

/// Rows of the searched library that change at random. The same seed makes the same changes.
struct SearchedRows {
  private var samples: SearchSamples
  private var lastKey: Int64
  private var places: [RowDraft] = []
  private var authors: [RowDraft] = []
  private var articles: [RowDraft] = []
  private var notes: [RowDraft] = []
  /// The rows of the present change set.
  private var (updated, deleted): ([RowDraft], [RowDraft]) = ([], [])

  /// Rows whose primary keys begin behind `base`.
  init(seed: UInt64, behind base: Int64 = 0) {
    samples = SearchSamples(seed: seed, columns: [])
    lastKey = base
  }

  // MARK: - New rows

  /// Makes the inserts of some rows of each entity.
  mutating func added(_ count: Int) -> ChangeSet { ChangeSet(inserting: newRows(count)) }

  private mutating func newRows(_ count: Int) -> [RowDraft] {
    let newPlaces = (0...count / 10).map { _ in row("Place", ["name": .string(samples.word())]) }
    places += newPlaces
    let newAuthors = (0...count / 4).map { _ in
      row("Author", ["name": text(), "born": number(3)], to: "home", place())
    }
    authors += newAuthors
    let newArticles = (0..<count).map { _ in article() }
    articles += newArticles
    let newNotes = (0...count / 2).map { _ in row("Note", ["text": text()]) }
    notes += newNotes
    return newPlaces + newAuthors + newArticles + newNotes
  }

  private mutating func article() -> RowDraft {
    var values: [String: Value] = [
      "title": text(), "text": optionalText(), "kind": .string(samples.pick(["a", "b", "c"])),
      "views": number(8),
    ]
    let isStory = isOne(in: 3)
    if isStory { values["plot"] = optionalText() }
    return row(isStory ? "Story" : "Article", values, to: "author", author())
  }

  private mutating func row(
    _ entity: String, _ values: [String: Value], to relationship: String = "",
    _ other: RowDraft? = nil
  ) -> RowDraft {
    lastKey += 1
    return RowDraft(
      entity, lastKey, values, to: other.map { [relationship: $0] } ?? [:],
      of: SearchedLibrary.model)
  }

  // MARK: - Changes

  /// Makes a change set that changes texts, moves references, deletes rows, and inserts others.
  mutating func changed() -> ChangeSet {
    (updated, deleted) = ([], [])
    let gone = isOne(in: 2) ? author() : nil
    places = change(places) { rows, place in
      rows.isOne(in: 3) ? place.changed(["name": .string(rows.samples.word())]) : place
    }
    authors = change(authors) { rows, author in
      guard author.key != gone?.key else { return nil }
      guard rows.isOne(in: 3) else { return author }
      return rows.isOne(in: 2)
        ? author.changed(to: ["home": rows.place()]) : author.changed(["name": rows.text()])
    }
    articles = change(articles) { rows, article in
      rows.isOne(in: 9) ? nil : rows.next(article, isLeft: article.refers(to: gone))
    }
    notes = change(notes) { rows, note in
      guard !rows.isOne(in: 9) else { return nil }
      return rows.isOne(in: 3) ? note.changed(["text": rows.text()]) : note
    }
    let (updated, deleted) = (updated, deleted)
    return ChangeSet(inserting: newRows(3), updating: updated, deleting: deleted)
  }

  /// Gives each row its next version. A row without one is deleted.
  private mutating func change(
    _ rows: [RowDraft], _ next: (inout SearchedRows, RowDraft) -> RowDraft?
  ) -> [RowDraft] {
    var kept: [RowDraft] = []
    for row in rows {
      guard let new = next(&self, row) else {
        deleted.append(row)
        continue
      }
      if new.version != row.version { updated.append(new) }
      kept.append(new)
    }
    return kept
  }

  private mutating func next(_ article: RowDraft, isLeft: Bool) -> RowDraft {
    var values: [String: Value] = [:]
    if isOne(in: 4) { values["title"] = text() }
    if isOne(in: 4) { values["text"] = optionalText() }
    if isOne(in: 4) { values["views"] = number(8) }
    if article.shape.name == "Story", isOne(in: 3) { values["plot"] = optionalText() }
    let isMoved = isLeft || isOne(in: 5)
    guard isMoved || !values.isEmpty else { return article }
    return article.changed(values, to: isMoved ? ["author": author()] : [:])
  }

  // MARK: - Choices

  private mutating func isOne(in odds: Int) -> Bool { samples.below(odds) == 0 }
  private mutating func number(_ limit: Int) -> Value { .integer(Int64(samples.below(limit))) }
  private mutating func text() -> Value { .string(samples.text()) }
  private mutating func optionalText() -> Value { isOne(in: 4) ? .null : text() }
  private mutating func author() -> RowDraft? { one(of: authors) }
  private mutating func place() -> RowDraft? { one(of: places) }

  /// One of the rows, and now and then none.
  private mutating func one(of rows: [RowDraft]) -> RowDraft? {
    rows.isEmpty || isOne(in: 4) ? nil : rows[samples.below(rows.count)]
  }
}

extension RowDraft {
  fileprivate func refers(to author: RowDraft?) -> Bool {
    author.map { references["author"] == $0.key } ?? false
  }
}
