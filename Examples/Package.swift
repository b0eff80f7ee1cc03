// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Sporades", path: "..")],
  targets: ["QuickStart", "MailBox", "Journal", "LiveBoard"].map {
    .executableTarget(name: $0, dependencies: [.product(name: "Sporades", package: "Sporades")])
  }
)

for (name, products) in [
  ("FromTheApp", ["SporadesXcode"]), ("Import", ["SporadesImport"]),
  ("Mirror", ["SporadesHistory"]), ("Fleet", ["SporadesPostgreSQL"]),
  ("Catalog", ["SporadesHistory", "SporadesIndexing"]),
] {
  package.targets.append(
    .executableTarget(
      name: name,
      dependencies: (["Sporades"] + products).map { .product(name: $0, package: "Sporades") }))
}

// Core Data's names: the framework where there is one, this package's module elsewhere. Xcode compiles the model for Apple's
// platforms, and the plugin for the others.
package.targets.append(
  .executableTarget(
    name: "AppOnLinux", dependencies: [.product(name: "SporadesCoreData", package: "Sporades")],
    plugins: [.plugin(name: "GenerateAccessors", package: "Sporades")]))

for target in package.targets {
  target.swiftSettings = [.treatAllWarnings(as: .error)]
}
