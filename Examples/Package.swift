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

for (name, product) in [
  ("FromTheApp", "SporadesXcode"), ("Import", "SporadesImport"), ("Mirror", "SporadesHistory"),
  ("Fleet", "SporadesPostgreSQL"),
] {
  package.targets.append(
    .executableTarget(
      name: name,
      dependencies: [
        .product(name: "Sporades", package: "Sporades"),
        .product(name: product, package: "Sporades"),
      ]))
}

for target in package.targets {
  target.swiftSettings = [.treatAllWarnings(as: .error)]
}
