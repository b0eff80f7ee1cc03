// SPDX-License-Identifier: MIT
import Foundation
import RawStore
import Sporades
import SporadesSearch

/// The best stories of many searches, with their titles and excerpts of their texts.
struct SearchRanked: Workload {
  static let key = "search_ranked"
  static let title = "1,000 searches, the best 20 with titles and snippets"
  static let start = Template.stories
  static let ourStart = Template.searchedStories
  private let stories: Stories

  init(_ sample: Sample) { stories = Stories(sample.scale) }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    var sum = Checksum()
    let database = RawDatabase(path)
    watch.time {
      let finder = RawStory.Finder(database)
      for search in stories.searches {
        for found in finder.find(search.expression) {
          precondition(!found.title.isEmpty && !found.excerpt.isEmpty, "A story has no text.")
          // Stories with one rank have no order of their own.
          sum.add(Int((-found.rank * 10_000).rounded()))
        }
      }
    }
    return sum.value
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    var sum = Checksum()
    let service = try openService(path, [Story.self])
    defer { try? service.close() }
    try service.prepareSearch()
    try watch.time {
      try service.readValue { context in
        for search in stories.searches {
          for hit in try Story.search(Search(search.typed)).limit(20).ranked(in: context) {
            let excerpt = try hit.snippet(of: \.text)
            precondition(!hit.object.title.isEmpty && !excerpt.text.isEmpty, "A story has no text.")
            sum.add(Int((hit.rank * 10_000).rounded()))
          }
        }
      }
    }
    return sum.value
  }
}

/// Stories that come in writes of some thousand, until the last one is committed.
struct SearchWrite: Workload {
  static let key = "search_write"
  static let title = "create searchable stories, 4,000 in a write"
  static let start = Template.noStories
  private let stories: Stories

  init(_ sample: Sample) { stories = Stories(sample.scale) }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path)
      RawStory.makeIndex(database)
      watch.time { RawStory.insert(stories.all, indexed: true, into: database) }
    }
    return stories.contents(of: path, index: "WORDS")
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path, [Story.self])
      defer { try? service.close() }
      try service.prepareSearch()
      try watch.time {
        for start in stride(from: 0, to: stories.all.count, by: RawStory.batch) {
          try service.writeUntilCommitted { context in
            for value in stories.all[start...].prefix(RawStory.batch) {
              let story = Story.create(in: context)
              story.title = value.title
              story.text = value.text
            }
          }
        }
      }
    }
    return stories.contents(of: path, index: "\"SPORADES_ZSTORY:SEARCH\"")
  }
}

/// Stories that get other texts, each in a write that returns after its commit reached the disk.
struct SearchUpdate: Workload {
  static let key = "search_update"
  static let title = "change searchable stories one by one, each synced to disk"
  static let start = Template.stories
  static let ourStart = Template.searchedStories
  private let stories: Stories

  init(_ sample: Sample) { stories = Stories(sample.scale) }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path, synchronous: .full)
      watch.time { RawStory.change(stories.changes, in: database) }
    }
    return stories.contents(of: path, index: "WORDS")
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path, [Story.self])
      defer { try? service.close() }
      try service.prepareSearch()
      let ids = try service.readValue { try $0.fetchIDs(FetchRequest("Story")) }
      let byKey = Dictionary(uniqueKeysWithValues: ids.map { ($0.key.primaryKey, $0) })
      try watch.time {
        for (key, value) in stories.changes {
          try service.writeSync(durability: .immediate) { context in
            guard let id = byKey[key], let story = try context.object(with: id) as? Story
            else { fatalError("There is no story \(key).") }
            story.title = value.title
            story.text = value.text
          }.get()
        }
      }
    }
    return stories.contents(of: path, index: "\"SPORADES_ZSTORY:SEARCH\"")
  }
}

extension Stories {
  /// A checksum of the stories in a file and of what their index finds, whoever wrote them.
  fileprivate func contents(of path: String, index: String) -> UInt64 {
    var sum = Checksum()
    for number in RawStory.contents(RawDatabase(path), index: index, words: words) {
      sum.add(Int(number))
    }
    return sum.value
  }
}
