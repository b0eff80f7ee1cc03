// swift-tools-version: 6.2
import PackageDescription

// The program of Scripts/move-store. The tests of Sporades build it, too.
let package = Package(
  name: "MoveStore",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Sporades", path: "../..")],
  targets: [
    .executableTarget(
      name: "MoveStore",
      dependencies: [
        "SporadesModel", "SporadesStore", "SporadesMoving", "SporadesSQLite", "SporadesPostgreSQL",
      ].map { .product(name: $0, package: "Sporades") },
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
      ])
  ]
)
