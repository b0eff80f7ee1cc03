// SPDX-License-Identifier: MIT

/// The files of a new package.
struct PackageFiles {
  let name: String
  let library: LibraryPlace

  /// The files with their paths in the package.
  var all: [(path: String, text: String)] {
    [
      ("Package.swift", manifest), ("Sources/\(name)Model/Note.swift", entity),
      ("Sources/\(name)Model/Notebook.swift", service), ("Sources/\(name)/main.swift", program),
      ("Tests/\(name)Tests/NotebookTests.swift", test), ("Dockerfile", dockerfile),
      (".gitignore", ".build/\n"), ("README.md", readme),
    ]
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        \(library.dependency)
      ],
      targets: [
        .target(
          name: "\(name)Model", dependencies: [.product(name: "Sporades", package: "Sporades")]),
        .executableTarget(name: "\(name)", dependencies: ["\(name)Model"]),
        .testTarget(name: "\(name)Tests", dependencies: ["\(name)Model"]),
      ]
    )

    """
  }

  private var entity: String {
    """
    import Foundation
    import Sporades

    @Entity public final class Note: ManagedObject {
      public var text: String = ""
      public var createdAt: Date = Date()
    }

    """
  }

  private var service: String {
    """
    import Sporades

    /// The notes of a program.
    public final class Notebook: DALService, @unchecked Sendable {
      /// Opens the notes in the application's data folder.
      public convenience init() { self.init(sqlite: "\(name)", entities: [Note.self]) }

      /// Adds a note, and returns when it is stored.
      public func add(_ text: String) throws {
        try writeSync { context in
          let note = Note.create(in: context)
          note.text = text
        }.get()
      }

      /// The texts of all notes, the oldest first.
      public func texts() throws -> [String] {
        var texts: [String] = []
        try read { context in
          texts = Note.all(sortedBy: \\.createdAt, in: context).map(\\.text)
        }.get()
        return texts
      }
    }

    """
  }

  private var program: String {
    """
    import \(name)Model

    let notebook = Notebook()
    let texts = CommandLine.arguments.dropFirst()
    for text in texts { try notebook.add(text) }
    if try notebook.texts().isEmpty { try notebook.add("Hello from \(name)") }
    for text in try notebook.texts() { print(text) }

    """
  }

  private var test: String {
    """
    import Sporades
    import Testing
    import \(name)Model

    @Suite struct NotebookTests {
      @Test func notesComeInTheirOrder() throws {
        let notebook = Notebook(inMemory: [Note.self])
        try notebook.add("first")
        try notebook.add("second")
        #expect(try notebook.texts() == ["first", "second"])
      }
    }

    """
  }

  private static let elsewhere =
    "# Docker copies no folder from elsewhere: put the library beside this package, name it in Package.swift, and build"

  private var dockerfile: String {
    let copy =
      library.isFolder
      ? """
      \(library.isBeside ? "# The library is a folder beside this one: build" : Self.elsewhere)
      # with the folder of both as the context,
      #   docker build -f \(name)/Dockerfile ..
      COPY . /packages
      WORKDIR /packages/\(name)
      """
      : """
      COPY . /packages/\(name)
      WORKDIR /packages/\(name)
      """
    return """
      FROM swift:6.3-bookworm AS build
      RUN apt-get update && apt-get install -y libsqlite3-dev zlib1g-dev pkg-config
      \(copy)
      RUN swift build -c release --static-swift-stdlib --product \(name)
      RUN cp "$(swift build -c release --show-bin-path)/\(name)" /\(name)

      FROM debian:bookworm-slim
      RUN apt-get update && apt-get install -y libsqlite3-0 zlib1g && rm -rf /var/lib/apt/lists/*
      COPY --from=build /\(name) /usr/local/bin/\(name)
      CMD ["\(name)"]

      """
  }

  private var readme: String {
    """
    # \(name)

    ```sh
    swift run \(name) "Buy milk"   # adds a note and prints all
    swift test
    ```

    """
  }
}
