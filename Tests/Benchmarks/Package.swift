// swift-tools-version: 6.2
import PackageDescription

// As a stranger sees the library: the package depends on a repository with versions. Scripts/build-cost makes one.
let released = Context.environment["SPORADES_RELEASED"]
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    released.map { .package(url: "file://\($0)", from: "0.1.0") }
      ?? .package(name: "Sporades", path: "../..")
  ],
  targets: [
    // A module of its own, so that the raw side shares nothing with the library but SQLite itself.
    .systemLibrary(
      name: "CRawSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // What a careful program without a library would write.
    .target(name: "RawStore", dependencies: ["CRawSQLite", "CRawZlib"]),
    .systemLibrary(name: "CRawZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // The values of observers, for a thread that waits for them.
    .target(
      name: "ObserverBoard", dependencies: [.product(name: "Sporades", package: "Sporades")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "RawStore", "ProbeTools", "ObserverBoard", .product(name: "Sporades", package: "Sporades"),
        .product(name: "SporadesHistory", package: "Sporades"),
        .product(name: "SporadesImport", package: "Sporades"),
        .product(name: "SporadesSearch", package: "Sporades"),
        .product(name: "SporadesXcode", package: "Sporades"),
      ]),
    // On a server, which Scripts/bench-postgres starts.
    .executableTarget(
      name: "ServerBenchmarks",
      dependencies: [
        "CRawPostgreSQL", "ObserverBoard", .product(name: "Sporades", package: "Sporades"),
        .product(name: "SporadesPostgreSQL", package: "Sporades"),
      ]),
    .systemLibrary(name: "CRawPostgreSQL"),
    // The same work through the modules CoreData and Sporades, and with SQLite's C functions.
    .target(
      name: "DoorSide",
      dependencies: ["DoorTools", .product(name: "SporadesCoreData", package: "Sporades")],
      plugins: [.plugin(name: "GenerateAccessors", package: "Sporades")]),
    .executableTarget(
      name: "DoorBenchmarks",
      dependencies: [
        "DoorSide", "DoorTools", "RawStore", "ProbeTools",
        .product(name: "Sporades", package: "Sporades"),
      ]),
    .target(name: "DoorTools"),
    .executableTarget(
      name: "StartupProbe",
      dependencies: ["ProbeTools", .product(name: "Sporades", package: "Sporades")]),
    // The least that a user would write; its size is looked at.
    .executableTarget(
      name: "CostProbe", dependencies: [.product(name: "Sporades", package: "Sporades")]),
    .executableTarget(
      name: "OtherProbe",
      dependencies: ["ProbeTools", .product(name: "Sporades", package: "Sporades")]),
    .executableTarget(
      name: "FetchProbe",
      dependencies: ["ProbeTools", .product(name: "Sporades", package: "Sporades")]),
    .executableTarget(
      name: "ImportProbe",
      dependencies: [
        "ProbeTools", .product(name: "Sporades", package: "Sporades"),
        .product(name: "SporadesImport", package: "Sporades"),
      ]),
    .executableTarget(name: "RawStartupProbe", dependencies: ["RawStore", "ProbeTools"]),
    .executableTarget(name: "RawFetchProbe", dependencies: ["RawStore", "ProbeTools"]),
    // Without debug information, some of which valgrind cannot read.
    .executableTarget(
      name: "CountProbe",
      dependencies: [.product(name: "Sporades", package: "Sporades")],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux]))]),
    // What Swift's module of the C library leaves out.
    .systemLibrary(name: "CAllocator"),
    .target(name: "ProbeTools", dependencies: ["CAllocator"]),
  ]
)

// A program for each product beside `Sporades`, whose size is looked at, too.
for ring in [
  "Audit", "Care", "Containers", "CoreData", "Explaining", "Foundation", "History", "Import",
  "Indexing", "Live", "ExistingTables", "Moving", "PostgreSQL", "Search", "ServerSearch",
  "ServerStages", "Skopelos", "Statements", "Xcode",
] {
  package.targets.append(
    .executableTarget(
      name: "\(ring)CostProbe",
      dependencies: [
        .product(name: "Sporades", package: "Sporades"),
        .product(name: "Sporades\(ring)", package: "Sporades"),
      ], path: "Sources/Rings/\(ring)"))
}

// Scripts/bench --door asks for these. A build of any other program would compile the tool of their plugin, too.
if Context.environment["SPORADES_DOOR"] == nil {
  package.targets.removeAll { $0.name.hasPrefix("Door") }
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
