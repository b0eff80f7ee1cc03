// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

@Suite struct KeyPathNamesTests {
  init() {
    KeyPathNames.add([
      \Book.title: "title", \Book.author: "author", \Book.series: "series",
      \Author.name: "name", \Author?.?.name: "name", \Author.teacher: "teacher",
      \Author?.?.teacher: "teacher", \Series.title: "title",
    ])
  }

  @Test func findsWhatWasAdded() {
    #expect(KeyPathNames.name(of: \Book.title) == "title")
    let path: AnyKeyPath = \Book.title
    #expect(path._kvcKeyPathString == "title")
    #expect(KeyPathNames.name(of: \Book.pages) == nil)
  }

  @Test func putsKeyPathsTogether() {
    #expect(KeyPathNames.name(of: \Book.series.title) == "series.title")
    #expect(KeyPathNames.name(of: \Book.author?.name) == "author.name")
    #expect(KeyPathNames.name(of: \Book.author?.teacher?.name) == "author.teacher.name")
    #expect(KeyPathNames.name(of: \Book.author?.pages) == nil)
    // The second answer comes out of the table.
    #expect(KeyPathNames.name(of: \Book.author?.name) == "author.name")
  }

  @Test func storedPropertiesNameThemselves() {
    #expect(KeyPathNames.name(of: \Person.age) == "age")
    #expect(KeyPathNames.name(of: \Person.boss?.name) == "boss.name")
    #expect(KeyPathNames.name(of: \Person.self) == "self")
    #expect(KeyPathNames.name(of: \Person.tags[0]) == nil)
    #expect(KeyPathNames.name(of: \Person.hash) == nil)
  }

  @Test func sortDescriptorsHaveTheName() throws {
    let byTitle = NSSortDescriptor(keyPath: \Book.title, ascending: true)
    #expect(byTitle.key == "title")
    #expect(try byTitle.sortTerm == SortTerm("title"))
    let byName = NSSortDescriptor(keyPath: \Book.author?.name, ascending: false)
    #expect(byName.key == "author.name")
    #expect(byName == NSSortDescriptor(keyPath: \Book.author?.name, ascending: false))
    #expect(try byName.sortTerm == SortTerm("author.name", ascending: false))
  }

  @available(*, deprecated)
  @Test func expressionsHaveTheName() {
    #expect(NSExpression(forKeyPath: \Book.author?.name).keyPath == "author.name")
  }
}

/// Classes whose properties are computed, as those of managed objects are.
private final class Book {
  var title: String { "T" }
  var author: Author? { nil }
  var series: Series { Series() }
  var pages: Int { 1 }
}
private final class Author {
  var name: String? { nil }
  var teacher: Author? { nil }
  var pages: Int { 1 }
}
private final class Series {
  var title: String { "S" }
}
